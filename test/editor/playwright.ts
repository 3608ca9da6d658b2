import { requireFromN8n } from '../../n8n/installation';

import { findBrowser } from './findBrowser';

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
	isVisible(): Promise<boolean>;
	innerText(): Promise<string>;
	inputValue(): Promise<string>;
	allInnerTexts(): Promise<string[]>;
	/** The function runs in the page: it sees nothing but its argument. */
	evaluateAll<T, E>(run: (elements: E[]) => T | Promise<T>): Promise<T>;
	getAttribute(name: string): Promise<string | null>;
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
	json(): Promise<unknown>;
}

/** A tab of the browser. */
export interface Page extends Pick<Locator, 'getByTestId' | 'getByText' | 'locator'> {
	keyboard: { press(key: string): Promise<void> };
	mouse: { move(x: number, y: number): Promise<void> };
	close(): Promise<void>;
	url(): string;
	goto(url: string): Promise<unknown>;
	/** The expression is text, because it runs in the page. */
	evaluate<T>(expression: string): Promise<T>;
	on(event: 'websocket', listener: (socket: WebSocket) => void): void;
	waitForEvent(event: 'popup'): Promise<Page>;
	screenshot(options: {
		path?: string;
		clip?: Box;
		style?: string;
		animations?: 'disabled';
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
	chromium: {
		launchPersistentContext(
			profile: string,
			options: {
				executablePath: string;
				args: string[];
				viewport: { width: number; height: number };
				locale: string;
				timezoneId: string;
			},
		): Promise<Browser>;
	};
	selectors: { setTestIdAttribute(name: string): void };
}

/** Opens Chromium; a profile that was used before has the editor cached. */
export async function openBrowser(profile: string): Promise<Browser> {
	const { chromium, selectors } = requireFromN8n<Playwright>('playwright-core');
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launchPersistentContext(profile, {
		executablePath: findBrowser(),
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
		viewport: { width: 1440, height: 900 },
		locale: 'en-GB',
		timezoneId: 'UTC',
	});
}
