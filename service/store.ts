import type { Asset } from './asset';
import { createNumberedAssets, createStockAssets } from './seedAssets';
import { createStockVoices, type Voice } from './voices';

/** A speech that was asked for. */
export interface Speech {
	id: string;
	voiceId: string;
	script: string;
}

/** A video that was asked for: every field of the request, with an ID. */
export type Video = { id: string; videoTitle?: string; script?: string; status?: string } & Record<
	string,
	unknown
>;

/** A voice-provider credential that was registered. */
export type ProviderKey = Record<string, unknown>;

/** Everything the service remembers. */
export class Store {
	assets: Asset[] = [];
	voices: Voice[] = [];
	speeches: Speech[] = [];
	videos: Video[] = [];
	providerKeys: ProviderKey[] = [];
	private numbered = 0;

	constructor(private readonly seed: boolean) {
		this.reset();
	}

	/** Back to what the service starts with. */
	reset(): void {
		this.assets = this.seed ? createStockAssets() : [];
		this.voices = createStockVoices();
		this.speeches = [];
		this.videos = [];
		this.providerKeys = [];
		this.numbered = 0;
	}

	/** Adds many assets with made-up files and gives them back. */
	addAssets(count: number): Asset[] {
		const added = createNumberedAssets(count, this.numbered + 1);
		this.numbered += count;
		this.assets = [...this.assets, ...added];
		return added;
	}

	/** The asset with an ID. */
	findAsset(id: string): Asset | undefined {
		return this.assets.find((asset) => asset.id === id);
	}
}
