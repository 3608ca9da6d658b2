import { startService, type Service } from '../service/service';

/** Starts the stand-in for the service the way demo and check want it to answer. */
export async function startStandIn(ports: { port: number; filesPort: number }): Promise<Service> {
	return await startService({
		...ports,
		apiKey: 'demo-key',
		speechResponse: 'link',
		videoResponse: 'id',
		seed: true,
	});
}
