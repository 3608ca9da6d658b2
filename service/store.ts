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

/** The records of the service, kept in memory. Tests read and replace them. */
export class Store {
	assets!: Asset[];
	voices!: Voice[];
	speeches!: Speech[];
	videos!: Video[];
	/** The bodies of all requests that added the key of a voice provider. */
	providerKeys!: Record<string, unknown>[];
	/** How many assets `addAssets` has added, which numbers the next one. */
	private numberedAssets!: number;

	/** @param seed whether the store starts with a few assets */
	constructor(private readonly seed: boolean) {
		this.resetRecords();
	}

	/** Adds assets named "Asset 00001", "Asset 00002" … */
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
