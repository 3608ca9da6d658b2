import { startExampleService } from '../../n8n/examples';
import type { Service } from '../../service/service';
import { buildWorkflow, connectInOrder, STUDIO, type Part } from '../n8n/runningN8n';
import { connect, getServer } from '../n8n/servers';

import { Panel } from './panel';
import { openBrowser, type Browser, type Page } from './playwright';

/** How long every action waits for its element: generous, because the machine may be busy. */
const PATIENCE_MS = 40_000;

const NODE_ID = '22222222-2222-4222-8222-222222222222';

/** The n8n of this suite. */
export const SERVER = 'editor';

/**
 * Opens the editor of a real n8n in Chromium for the tests of one file, with its own stand-in for the
 * service and, by default, a credential for it.
 */
export function useEditor({ withCredential = true } = {}) {
	const { url, cookies, userFolder } = getServer(SERVER);
	const session = connect(getServer(SERVER));
	let browser: Browser | undefined;
	let service: Service;
	let page: Page;
	let panel: Panel;
	let credential: { id: string; name: string } | undefined;

	beforeAll(async () => {
		service = await startExampleService({ port: 0, filesPort: 0 });
		browser = await openBrowser(`${userFolder}-browser`);
		await browser.addCookies(cookies.map((cookie) => cookieFor(cookie, url)));
		page = browser.pages()[0]!;
		page.setDefaultTimeout(PATIENCE_MS);
		panel = new Panel(page);
		// The profile keeps the editor's files, but not what an earlier test file chose, such as a view.
		await page.goto(`${url}/favicon.ico`);
		await page.evaluate('localStorage.clear()');
		// n8n introduces pinning once, with a tooltip over the output.
		await page.evaluate("localStorage.setItem('N8N_PIN_DATA_DISCOVERY_NDV', 'true')");
		if (!withCredential) return;
		credential = await session.rest('POST', '/credentials', {
			name: 'Avatar Studio account',
			type: 'avatarStudioApi',
			data: { baseUrl: service.url, apiKey: service.apiKey },
		});
	});

	beforeEach(() => service.reset());
	afterEach(() => expect(service.violations).toEqual([]));
	afterAll(async () => {
		await browser?.close();
		await service.close();
		if (credential) await session.rest('DELETE', `/credentials/${credential.id}`);
	});

	const open = async (path: string) => {
		await page.goto(url + path);
	};
	/** Creates a workflow and opens its canvas, or a node of it. */
	const openNew = async (workflow: object, node = '') => {
		const body = { settings: {}, ...workflow };
		const { id } = await session.rest<{ id: string }>('POST', '/workflows', body);
		await open(`/workflow/${id}${node}`);
	};

	return {
		get page() {
			return page;
		},
		get panel() {
			return panel;
		},
		get service() {
			return service;
		},
		open,
		/** Creates a workflow of connected nodes and opens the panel of the last one. */
		async openPanel(...nodes: Part[]) {
			const workflow = buildWorkflow('My workflow', nodes, connectInOrder(nodes));
			// The editor finds a node by a UUID in its address.
			workflow.nodes.at(-1)!.id = NODE_ID;
			await openNew(workflow, `/${NODE_ID}`);
			await panel.ready();
		},
		/** Creates a workflow and opens its canvas. */
		async openWorkflow(workflow: object) {
			await openNew(workflow);
			await page.locator('[data-test-id="canvas-node"]').first().waitFor();
		},
		/** Our node as it is right after it was added. */
		node: (parameters: object = {}): Part => ({
			name: 'Avatar Studio',
			type: STUDIO,
			parameters,
			credentials: credential && { avatarStudioApi: { id: credential.id, name: credential.name } },
		}),
	};
}

function cookieFor(setCookie: string, url: string) {
	const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(setCookie) ?? [];
	return { name, value, url };
}
