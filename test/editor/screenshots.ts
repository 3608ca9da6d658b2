import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { projectRoot } from '../../n8n/installation';

import type { Box, Locator, Page } from './playwright';

/** SCREENSHOTS=docs updates those in docs/; otherwise a test run changes no file in git. */
const documentation =
	process.env.SCREENSHOTS === 'docs'
		? join(projectRoot, 'docs', 'screenshots')
		: join(tmpdir(), 'avatar-studio-screenshots');

/** Frames of the moving picture, which gif/encode.mjs reads after the run. */
const frames = join(__dirname, 'gif', 'frames');

/**
 * Hides what comes and goes and does not belong in a screenshot, and n8n's container of tooltips, which
 * shows empty white boxes in the corner of the page, one for each field with an expression.
 */
const STYLE = `
	.el-notification, [data-test-id="node-feature-request"], [data-test-id="floating-node"],
	#cm-tooltip-container {
		display: none !important;
	}
`;

interface Options {
	/** What the picture covers; the whole page if not given. */
	of?: Locator[];
	/** Height from their top, in pixels. */
	height?: number;
	/** How much more above it; less if negative. */
	above?: number;
	/** How much more on every side. */
	margin?: number;
	/** CSS for this picture only. */
	style?: string;
	isFrame?: boolean;
}

/** Takes a picture of the page, or of a part of it. */
export async function screenshot(page: Page, name: string, options: Options = {}): Promise<void> {
	const { of: parts, style = '', isFrame = false } = options;
	const spinner = page.locator('button .n8n-spinner').filter({ visible: true });
	await spinner.first().waitFor({ state: 'hidden' });
	await makeReproducible(page);
	await page.screenshot({
		path: join(isFrame ? frames : documentation, `${name}.png`),
		clip: parts && (await getBoundingBox(parts, options)),
		style: STYLE + style,
		animations: 'disabled',
	});
}

/**
 * Makes screenshots reproducible: the stand-in's addresses become those of an example, and the IDs,
 * times and signatures that it generates become fixed ones.
 */
async function makeReproducible(page: Page): Promise<void> {
	await page.evaluate(`(() => {
		const steady = (text) => text
			.replace(/http:\\/\\/127\\.0\\.0\\.1:\\d+/g, 'https://files.example.com')
			.replace(/expires=\\d+/g, 'expires=1767268800')
			.replace(/signature=[0-9a-f]+/g, 'signature=243faa8f71a3')
			.replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g,
				'c56a4180-65aa-42ec-a945-5fd21dec0538');
		const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		while (walker.nextNode()) {
			const { data } = walker.currentNode;
			if (steady(data) !== data) walker.currentNode.data = steady(data);
		}
		for (const input of document.querySelectorAll('input')) {
			input.value = input.value.replace(/http:\\/\\/127\\.0\\.0\\.1:\\d+/g, 'https://api.example.com');
		}
	})()`);
}

async function getBoundingBox(parts: Locator[], options: Options): Promise<Box> {
	const { height, above = 0, margin = 0 } = options;
	const elements = (await Promise.all(parts.map((part) => part.all()))).flat();
	const found = await Promise.all(elements.map((element) => element.boundingBox()));
	const boxes = found.filter((box) => box !== null);
	const x = Math.min(...boxes.map((box) => box.x)) - margin;
	const y = Math.min(...boxes.map((box) => box.y)) - margin - above;
	const right = Math.max(...boxes.map((box) => box.x + box.width)) + margin;
	const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + margin;
	return { x, y, width: right - x, height: height ?? bottom - y };
}
