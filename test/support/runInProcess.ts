import './engine/environment';

import { getErrorText, runNode, startEngine } from './engine/engine';
import { getVoices } from './parameters';

/** Lists the voices of each service through n8n's engine, and writes the error of the node. */
async function main(): Promise<void> {
	const [, , ...baseUrls] = process.argv;
	await startEngine();
	for (const baseUrl of baseUrls) {
		const { error } = await runNode(getVoices(), { credentials: { baseUrl, apiKey: 'key' } });
		process.stdout.write(`ERROR ${getErrorText(error)}\n`);
	}
}

void main().finally(() => process.exit());
