import { createEnvironment } from '../../../n8n/environment';
import { N8nProcess } from '../../../n8n/n8n';
import { installNode, packNode } from '../../../n8n/nodePackage';

/** Starts a worker of queue mode with the node in it. */
export async function startWorker(options: {
	version: string;
	/** Its own user folder, in which the node is installed. */
	userFolder: string;
	/** Port of its own task broker. */
	brokerPort: number;
	healthPort: number;
	/** Including access to Redis and the database, and the main process's encryption key. */
	env: NodeJS.ProcessEnv;
}): Promise<N8nProcess> {
	const env = createEnvironment({
		...options,
		env: {
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(options.healthPort),
			...options.env,
		},
	});
	installNode(await packNode(), options.userFolder);
	const worker = new N8nProcess('worker', options, env);
	await worker.waitUntilReady(`http://127.0.0.1:${options.healthPort}/healthz/readiness`);
	return worker;
}
