import type { Locator, Page, Response } from './playwright';

/** The panel of a node, as a user works with it. */
export class Panel {
	/** The elements that cover the fields. */
	readonly fields: Locator[];
	readonly fieldsAndOutput: Locator[];
	readonly output: Locator;
	readonly input: Locator;
	private onRunEnded = () => {};

	constructor(private readonly page: Page) {
		this.output = page.getByTestId('output-panel').first();
		this.input = page.getByTestId('ndv-input-panel').first();
		this.fields = [
			page.getByTestId('node-parameters').first(),
			page.getByTestId('tab-params').first(),
			page.getByTestId('node-execute-button').first(),
		];
		this.fieldsAndOutput = [...this.fields, this.output];
		page.on('websocket', (socket) =>
			socket.on('framereceived', ({ payload }) => {
				if (String(payload).includes('"executionFinished"')) this.onRunEnded();
			}),
		);
	}

	/** Waits for the fields to appear. */
	async ready(): Promise<void> {
		await this.page.getByTestId('node-parameters').first().waitFor();
	}

	field(name: string): Locator {
		return this.page.getByTestId(`parameter-input-${name}`).last();
	}

	async fill(name: string, text: string): Promise<void> {
		await this.field(name).locator('input, textarea').first().fill(text);
	}

	/** Drags a field of the output of an earlier node into a field of this one. */
	async drag(node: string, from: string, name: string): Promise<void> {
		await this.input.getByText(node, { exact: true }).click();
		await this.input
			.locator(`[data-node-name="${node}"][data-name="${from}"]`)
			.dragTo(this.field(name));
		// n8n starts to edit the expression a moment after the drop, and its tip covers the next field.
		const results = this.page.getByTestId('inline-expression-editor-output');
		const result = results.filter({ visible: true });
		await result.waitFor();
		await this.page.getByTestId('tab-params').first().click();
		await result.waitFor({ state: 'hidden' });
	}

	async choose(name: string, option: string): Promise<void> {
		await this.field(name).click();
		await this.option(option).click();
		await this.option(option).waitFor({ state: 'hidden' });
	}

	async operation(resource: string, operation: string): Promise<void> {
		await this.choose('resource', resource);
		const isChosen = (await this.field('operation').locator('input').inputValue()) === operation;
		if (!isChosen) await this.choose('operation', operation);
	}

	/**
	 * Adds a field of a visible collection: Filters, Options or Additional Fields.
	 *
	 * @param index of the collection, from the top
	 */
	async add(field: string, index = 0): Promise<void> {
		const adders = this.page.getByTestId('collection-parameter-add');
		await adders.filter({ visible: true }).nth(index).click();
		await this.option(field).click();
		await this.option(field).waitFor({ state: 'hidden' });
	}

	/** The entry of the open list of nodes, or of the actions of one, with this name. */
	nodeItem(name: string): Locator {
		return this.page
			.getByTestId('node-creator-item-name')
			.filter({ hasText: new RegExp(`^\\s*${name}\\s*$`) })
			.first();
	}

	/** Closes the panel, adds a node after the last one, and waits until n8n has selected its credential. */
	async addNextNode(name: string, action: string): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.page.getByTestId('canvas-handle-plus').filter({ visible: true }).first().click();
		await this.page.getByTestId('node-creator-search-bar').fill(name);
		await this.nodeItem(name).click();
		await this.nodeItem(action).click();
		await this.page.getByTestId('credential-edit-button').filter({ visible: true }).waitFor();
	}

	/** Adds an entry to the list of fields, such as the elements of a form. */
	async addElement(): Promise<void> {
		const next = this.page.getByTestId('fixed-collection-add-top-level-button');
		await this.page.getByTestId('fixed-collection-add').or(next).click();
	}

	/** Searches an open list and waits for the result. */
	async search(text: string): Promise<void> {
		const isResult = (it: Response) => it.url().includes('resource-locator-results');
		const answered = this.page.waitForResponse(isResult);
		await this.searchField().fill(text);
		await answered;
	}

	private searchField(): Locator {
		return this.page.getByTestId('rlc-search').filter({ visible: true });
	}

	/** The entry of an open list with this text. */
	entry(text: string): Locator {
		return this.page.getByTestId('rlc-item').filter({ hasText: text, visible: true }).first();
	}

	async pick(name: string, text: string): Promise<void> {
		await this.pickerInput(name).click();
		await this.entry(text).click();
		await this.searchField().waitFor({ state: 'hidden' });
	}

	async enterId(name: string, text: string): Promise<void> {
		const byId = this.page.getByTestId('mode-id').filter({ visible: true });
		await this.picker(name).getByTestId('rlc-mode-selector').click();
		await byId.click();
		await byId.waitFor({ state: 'hidden' });
		await this.pickerInput(name).fill(text);
	}

	/** A resource locator: its mode and its value. */
	picker(name: string): Locator {
		return this.page.getByTestId(`resource-locator-${name}`).last();
	}

	pickerInput(name: string): Locator {
		return this.picker(name).getByTestId('rlc-input');
	}

	/** Clicks the button that runs the node, and waits for the run to end. */
	async run(): Promise<void> {
		const ended = new Promise<void>((resolve) => (this.onRunEnded = resolve));
		await this.page.getByTestId('node-execute-button').first().click();
		await this.page.mouse.move(0, 0);
		await ended;
	}

	/** Runs the node and waits for the success icon. */
	async succeed(): Promise<void> {
		await this.run();
		await this.output.getByTestId('node-run-status-success').waitFor();
	}

	async show(view: 'binary' | 'json' | 'schema' | 'table'): Promise<void> {
		await this.output.getByTestId(`radio-button-${view}`).click();
	}

	/** The first row of the output's table that contains a text. */
	row(text: string): Locator {
		return this.output.locator('tr').filter({ hasText: text }).first();
	}

	option(text: string): Locator {
		return this.page
			.locator('.el-select-dropdown__item')
			.filter({ visible: true, hasText: new RegExp(`^${text}(\\n|$)|^${text}(?=[A-Z])`) })
			.first();
	}
}
