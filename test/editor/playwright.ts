import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { requireFromN8n } from '../../n8n/installation';

// playwright-core is installed with the real n8n, not with the project, so the few types that
// the suite needs are declared here.

/** An element of the page; every action on it waits until it exists. */
export interface Locator {
	click(): Promise<void>;
	dblclick(): Promise<void>;
	fill(text: string): Promise<void>;
	setInputFiles(file: string): Promise<void>;
	dragTo(target: Locator): Promise<void>;
	hover(): Promise<void>;
	waitFor(options?: { state?: 'attached' | 'hidden' | 'visible' }): Promise<void>;
	count(): Promise<number>;
	innerText(): Promise<string>;
	inputValue(): Promise<string>;
	all(): Promise<Locator[]>;
	allInnerTexts(): Promise<string[]>;
	boundingBox(): Promise<Box | null>;
	first(): Locator;
	last(): Locator;
	nth(index: number): Locator;
	or(other: Locator): Locator;
	filter(options: { hasText?: string | RegExp; visible?: boolean }): Locator;
	locator(selector: string): Locator;
	getByTestId(id: string): Locator;
	getByText(text: string | RegExp, options?: { exact?: boolean }): Locator;
}

/** A rectangle of the page, in pixels. */
export interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** A response of n8n's server to the editor. */
export interface Response {
	url(): string;
}

export interface Page extends Pick<Locator, 'getByTestId' | 'getByText' | 'locator'> {
	keyboard: { press(key: string): Promise<void> };
	mouse: { move(x: number, y: number): Promise<void> };
	close(): Promise<void>;
	goto(url: string): Promise<unknown>;
	/** The expression is text, because it runs in the page. */
	evaluate<T>(expression: string): Promise<T>;
	on(event: 'websocket', listener: (socket: WebSocket) => void): void;
	waitForEvent(event: 'popup'): Promise<Page>;
	screenshot(options: {
		path: string;
		clip?: Box;
		style: string;
		animations: string;
	}): Promise<Buffer>;
	setDefaultTimeout(ms: number): void;
	setViewportSize(size: { width: number; height: number }): Promise<void>;
	waitForResponse(matches: (response: Response) => boolean): Promise<Response>;
}

interface WebSocket {
	on(event: 'framereceived', listener: (frame: { payload: string | Buffer }) => void): void;
}

/** A browser with its own profile. */
export interface Browser {
	pages(): Page[];
	addCookies(cookies: { name: string; value: string; url: string }[]): Promise<void>;
	close(): Promise<void>;
}

interface Playwright {
	chromium: { launchPersistentContext(profile: string, options: object): Promise<Browser> };
	selectors: { setTestIdAttribute(name: string): void };
}

/** The browser that the variable CHROMIUM names, or an installed one. */
export function findBrowser(): string {
	const { CHROMIUM, PATH = '' } = process.env;
	const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
	const inPath = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
	const apps = ['Chromium', 'Google Chrome'];
	const onMac = apps.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
	const candidates = CHROMIUM ? [CHROMIUM] : [...inPath, ...onMac];
	const found = candidates.find((file) => existsSync(file));
	if (found) return found;
	throw new Error(
		'The editor tests need Chromium or Chrome. Install one, for example with "sudo apt-get ' +
			'install chromium", or set the environment variable CHROMIUM to the path of one.',
	);
}

/** Opens Chromium; a profile that was used before has the editor cached. */
export async function openBrowser(profile: string): Promise<Browser> {
	const { chromium, selectors } = requireFromN8n<Playwright>('playwright-core');
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launchPersistentContext(profile, {
		executablePath: findBrowser(),
		args: [
			...['--no-sandbox', '--no-first-run', '--disable-gpu', '--disable-quic', '--disable-sync'],
			...['--disable-background-networking', '--disable-component-update'],
		],
		viewport: { width: 1440, height: 900 },
		locale: 'en-GB',
		timezoneId: 'UTC',
	});
}
