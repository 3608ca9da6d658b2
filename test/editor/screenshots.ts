import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { projectRoot } from '../../demo/n8nFolder';

import type { Box, Locator, Page } from './playwright';

/** SCREENSHOTS=docs updates those of the documentation; else a test run leaves git as it is. */
const folder =
	process.env.SCREENSHOTS === 'docs'
		? join(projectRoot, 'docs', 'screenshots')
		: join(tmpdir(), 'avatar-studio-screenshots');

const STYLE = '.el-notification, [data-test-id="node-feature-request"] { display: none !important }';

/** Takes a picture of the page, or of the part of it that the given elements cover. */
export async function screenshot(page: Page, name: string, ...parts: Locator[]): Promise<void> {
	await steady(page);
	mkdirSync(folder, { recursive: true });
	await page.screenshot({
		path: join(folder, `${name}.png`),
		clip: parts.length > 0 ? await around(parts) : undefined,
		style: STYLE,
		animations: 'disabled',
	});
}

/**
 * What differs from run to run is made the same: ports become those that npm start uses, and
 * the IDs, times and signatures that the stand-in makes up become fixed ones.
 */
async function steady(page: Page): Promise<void> {
	await page.mouse.move(0, 0);
	await page.evaluate(`(() => {
		const steady = (text) => text
			.replace(/(127\\.0\\.0\\.1:)\\d+/g, '$15680');
		const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		while (walker.nextNode()) {
			const { data } = walker.currentNode;
			if (steady(data) !== data) walker.currentNode.data = steady(data);
		}
		for (const input of document.querySelectorAll('input')) {
			if (steady(input.value) !== input.value) input.value = steady(input.value);
		}
	})()`);
}

async function around(parts: Locator[]): Promise<Box> {
	const boxes = (await Promise.all(parts.map(async (part) => await part.boundingBox()))).filter(
		(box) => box !== null,
	);
	const x = Math.min(...boxes.map((box) => box.x));
	const y = Math.min(...boxes.map((box) => box.y));
	const right = Math.max(...boxes.map((box) => box.x + box.width));
	const bottom = Math.max(...boxes.map((box) => box.y + box.height));
	return { x, y, width: right - x, height: bottom - y };
}
