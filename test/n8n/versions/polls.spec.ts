import { isVersion1 } from '../../../n8n/installation';
import type { RecordedRequest } from '../../../service/service';
import { getAsset } from '../../support/parameters';
import { everySecond } from '../polls';
import { useStack } from '../production/stack';
import { connectInOrder, STUDIO } from '../runningN8n';
import { n8nVersion } from '../servers';

const ASSETS = 10_000;
/** A whole read takes so many requests, and the page that proves its end. */
const PAGES = ASSETS / 100;
const TRIGGER = 'Avatar Studio Trigger';

const DURABLE = { N8N_SCHEDULER_ENABLED: 'true', N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true' };
const schedulers: [string, NodeJS.ProcessEnv][] = [['own', {}]];
// n8n 1.x has no other scheduler.
if (!isVersion1(n8nVersion())) schedulers.push(['durable', DURABLE]);

describe.each(schedulers)(
	"n8n's %s scheduler, with 10,000 assets in the account,",
	(_name, env) => {
		const stack = useStack('SQLite', env);
		const { n8n } = stack;
		const isOfList = ({ path }: RecordedRequest) => path === '/v1/assets';
		const countRequests = () => n8n.service.requests.filter(isOfList).length;

		/** Waits until so many more polls have read the first page, and forgets the requests before. */
		const waitForPolls = async (count: number) => {
			n8n.service.requests.length = 0;
			await n8n.service.waitForRequest(() => countPolls() > count);
		};
		const countPolls = () => {
			return n8n.service.requests.filter((it) => isOfList(it) && it.query.Page === '1').length;
		};

		/** Publishes a workflow that starts on a new asset and reads it. */
		const publish = async () => {
			const parameters = { event: 'assetCreated', pollTimes: everySecond };
			const parts = [
				n8n.studio(TRIGGER, parameters, { type: `${STUDIO}Trigger` }),
				n8n.studio('What is new', getAsset()),
			];
			const id = await n8n.newWorkflow('On its own', parts, connectInOrder(parts));
			await n8n.publish(id);
			return id;
		};
		const add = (index: number) => {
			const [added] = n8n.service.addAssets(1);
			const others = n8n.service.assets.slice(0, -1);
			n8n.service.assets = [...others.slice(0, index), added!, ...others.slice(index)];
			return added!;
		};
		const startedWith = async (workflowId: string) => {
			const executions = await n8n.session.executionsOf(workflowId);
			return executions.reverse().flatMap(({ items }) => items[TRIGGER]!.map(({ name }) => name));
		};

		it('reads the ends of the list, and starts the workflow once for each new asset', async () => {
			n8n.service.addAssets(ASSETS + 50);
			const workflowId = await publish();
			await waitForPolls(2);
			const polls = 10;
			await waitForPolls(polls);
			expect(countRequests()).toBeLessThanOrEqual(2 * (polls + 1));

			const added: string[] = [];
			for (const index of [Infinity, 0, ASSETS / 2]) {
				const asset = add(index);
				await n8n.waitForRequestBy(workflowId, `/v1/assets/${asset.id}`);
				added.push(asset.name);
			}
			await stack.main.stop();
			const [missed] = n8n.service.addAssets(1);
			n8n.service.requests.length = 0;
			await stack.restartMain();
			await n8n.waitForRequestBy(workflowId, `/v1/assets/${missed!.id}`);
			expect(countRequests()).toBeGreaterThanOrEqual(PAGES);
			await waitForPolls(5);
			expect(countRequests()).toBeLessThanOrEqual(12);
			expect(await startedWith(workflowId)).toEqual([...added, missed!.name]);
		});
	},
);
