import type { INodeParameters } from 'n8n-workflow';

import { createLocator, getAsset, getAssets } from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();

/** What a garbage collection may add. */
const MAX_PAUSE_MS = 150;

/** In milliseconds of processor time: a machine that is busy with other work decides no test. */
function getWorkMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/** @returns how much work a run is; the least of three, because Node.js has work of its own */
async function measureWork(parameters: INodeParameters, body: object): Promise<number> {
	const works: number[] = [];
	for (let run = 0; run < 3; run++) {
		studio.service.clearFaults();
		studio.service.injectFault({ body: JSON.stringify(body), times: 1 });
		const start = getWorkMs();
		await studio.getOutcome(parameters);
		works.push(getWorkMs() - start);
	}
	studio.service.requests.length = 0;
	return Math.min(...works);
}

test.each<[string, INodeParameters]>([
	['Name Contains', getAssets({ filters: { nameContains: 'a' } })],
	['By Name', { ...getAsset(''), assetId: createLocator('a', 'name') }],
])(
	'G11: %s compares a name of 50,000 marks with hardly more work than one of letters',
	async (_what, parameters) => {
		const nameOf = (two: string) => ({ assets: [{ id: '1', name: two.repeat(25_000) }] });
		const expected = await measureWork(parameters, nameOf('ab'));
		const work = await measureWork(parameters, nameOf('\u0301\u0323'));
		expect(work).toBeLessThan(1.5 * expected + MAX_PAUSE_MS);
	},
	60_000,
);
