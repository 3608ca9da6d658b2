import { createNumberedAssets, createSampleAssets, type Asset } from './assets';
import { createVoices, type Voice } from './voices';

export interface Speech {
	id: string;
	voiceId: string;
	script: string;
}

/** Every field of the request, plus an ID. */
export interface Video extends Record<string, unknown> {
	id: string;
	videoTitle?: string;
	script?: string;
	status?: string;
}

export class Store {
	assets!: Asset[];
	voices!: Voice[];
	speeches!: Speech[];
	videos!: Video[];
	providerKeys!: Record<string, unknown>[];
	private numberedAssets!: number;

	constructor(private readonly seed: boolean) {
		this.resetRecords();
	}

	addAssets(count: number): Asset[] {
		const added = createNumberedAssets(count, this.numberedAssets + 1);
		this.numberedAssets += count;
		this.assets = [...this.assets, ...added];
		return added;
	}

	findAsset(id: string): Asset | undefined {
		return this.assets.find((asset) => asset.id === id);
	}

	protected resetRecords(): void {
		this.assets = this.seed ? createSampleAssets() : [];
		this.voices = createVoices();
		this.speeches = [];
		this.videos = [];
		this.providerKeys = [];
		this.numberedAssets = 0;
	}
}
