import './engine/environment';

import { getErrorText, runNode, startEngine } from './engine/engine';
import { getVoices } from './parameters';

/** Lists the voices of a service as an item of n8n's engine, and writes the item's error. */
async function main(): Promise<void> {
	const [, , baseUrl = ''] = process.argv;
	await startEngine();
	const { error } = await runNode(getVoices(), { credentials: { baseUrl, apiKey: 'key' } });
	process.stdout.write(`ERROR ${getErrorText(error)}\n`);
}

void main().finally(() => process.exit());
