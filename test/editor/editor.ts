import { startExampleService } from '../../n8n/examples';
import type { Service } from '../../service/service';

import { Panel } from './panel';
import { openBrowser, type Browser, type Page } from './playwright';
import { getServers } from './servers';

/** How long every action waits for its element: generous, because the machine may be busy. */
const PATIENCE_MS = Number(process.env.EDITOR_PATIENCE_MS ?? 40_000);

const NODE = 'n8n-nodes-avatar-studio.avatarStudio';
const SAMPLE_ID = '22222222-2222-4222-8222-222222222222';

interface Part {
	name: string;
	type: string;
	parameters: object;
	[more: string]: unknown;
}

/** The editor of a real n8n in Chromium, with its own stand-in for the service. */
export interface Editor {
	readonly page: Page;
	readonly panel: Panel;
	readonly service: Service;
	/** Opens a path of n8n. */
	open(path: string): Promise<void>;
	/** Creates a workflow of connected nodes and opens the panel of the last one. */
	openPanel(...nodes: Part[]): Promise<void>;
	/** Creates a workflow and opens its canvas. */
	openWorkflow(workflow: object): Promise<void>;
	/** Our node as it is right after it was added. */
	node(parameters?: object): Part;
	/** Our trigger as it is right after it was added. */
	trigger(parameters?: object): Part;
}

/** Opens the editor for the tests of one file, by default with a credential for the stand-in. */
export function useEditor({ withCredential = true } = {}): Editor {
	const { url, cookies, profile } = getServers();
	let browser: Browser | undefined;
	let service: Service;
	let page: Page;
	let panel: Panel;
	let credential: { id: string; name: string } | undefined;

	const rest = async <T>(method: string, path: string, body?: object): Promise<T> => {
		const response = await fetch(`${url}/rest${path}`, {
			method,
			headers: { cookie: cookies.map(toCookiePair).join('; '), 'content-type': 'application/json' },
			body: body && JSON.stringify(body),
		});
		if (!response.ok) throw new Error(`n8n: ${method} ${path}: ${await response.text()}`);
		return ((await response.json()) as { data: T }).data;
	};
	const part = (type: string, parameters: object, name: string): Part => ({
		name,
		type,
		parameters,
		credentials: credential && { avatarStudioApi: { id: credential.id, name: credential.name } },
	});

	beforeAll(async () => {
		service = await startExampleService({ port: 0, filesPort: 0 });
		browser = await openBrowser(profile);
		await browser.addCookies(cookies.map((cookie) => cookieFor(cookie, url)));
		page = browser.pages()[0]!;
		page.setDefaultTimeout(PATIENCE_MS);
		panel = new Panel(page);
		// The profile keeps the editor's files, but not what an earlier test file chose, such as a view.
		await page.goto(`${url}/favicon.ico`);
		await page.evaluate('localStorage.clear()');
		if (!withCredential) return;
		credential = await rest('POST', '/credentials', {
			name: 'Avatar Studio account',
			type: 'avatarStudioApi',
			data: { baseUrl: service.url, apiKey: service.apiKey },
		});
	});

	beforeEach(() => {
		service.reset();
	});

	afterEach(() => {
		expect(service.violations).toEqual([]);
	});

	afterAll(async () => {
		await browser?.close();
		await service.close();
		if (credential) await rest('DELETE', `/credentials/${credential.id}`);
	});

	const open = async (path: string) => {
		await page.goto(url + path);
	};
	const make = async (workflow: object) => {
		const { id } = await rest<{ id: string }>('POST', '/workflows', { settings: {}, ...workflow });
		return id;
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
		async openPanel(...nodes) {
			const id = await make({ name: 'My workflow', ...inRow(nodes) });
			await open(`/workflow/${id}/${SAMPLE_ID}`);
			await panel.ready();
		},
		async openWorkflow(workflow) {
			await open(`/workflow/${await make(workflow)}`);
			await page.locator('[data-test-id="canvas-node"]').first().waitFor();
		},
		node: (parameters = {}) => part(NODE, parameters, 'Avatar Studio'),
		trigger: (parameters = {}) => part(`${NODE}Trigger`, parameters, 'Avatar Studio Trigger'),
	};
}

/** The Manual Trigger node. */
export const byHand: Part = {
	name: 'When clicking ‘Execute workflow’',
	type: 'n8n-nodes-base.manualTrigger',
	parameters: {},
};

function inRow(parts: Part[]) {
	const nodes = parts.map((part, index) => ({
		id: index === parts.length - 1 ? SAMPLE_ID : `11111111-1111-4111-8111-11111111111${index}`,
		typeVersion: 1,
		position: [index * 224, 0],
		...part,
	}));
	const connections = Object.fromEntries(
		parts
			.slice(1)
			.map(({ name }, index) => [
				parts[index]!.name,
				{ main: [[{ node: name, type: 'main', index: 0 }]] },
			]),
	);
	return { nodes, connections };
}

function toCookiePair(setCookie: string): string {
	return setCookie.split(';')[0]!;
}

function cookieFor(setCookie: string, url: string) {
	const pair = toCookiePair(setCookie);
	const at = pair.indexOf('=');
	return { name: pair.slice(0, at), value: pair.slice(at + 1), url };
}
