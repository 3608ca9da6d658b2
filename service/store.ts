import { createNumberedAssets, createSampleAssets, type Asset } from './assets';
import { createVoices, type Voice } from './voices';

/** A requested speech. */
export interface Speech {
	id: string;
	voiceId: string;
	script: string;
}

/** A requested video: every field of the request, plus an ID. */
export type Video = { id: string; videoTitle?: string; script?: string; status?: string } & Record<
	string,
	unknown
>;

/** A registered voice-provider credential. */
export type ProviderKey = Record<string, unknown>;

/** The records of the service, all in memory. */
export class Store {
	assets!: Asset[];
	voices!: Voice[];
	speeches!: Speech[];
	videos!: Video[];
	providerKeys!: ProviderKey[];
	private numberedAssets!: number;

	/** @param seed whether to start with a few assets */
	constructor(private readonly seed: boolean) {
		this.resetRecords();
	}

	/** Adds assets with generated files and returns them. */
	addAssets(count: number): Asset[] {
		const added = createNumberedAssets(count, this.numberedAssets + 1);
		this.numberedAssets += count;
		this.assets = [...this.assets, ...added];
		return added;
	}

	/** The asset with an ID. */
	findAsset(id: string): Asset | undefined {
		return this.assets.find((asset) => asset.id === id);
	}

	/** Restores the initial records. */
	protected resetRecords(): void {
		this.assets = this.seed ? createSampleAssets() : [];
		this.voices = createVoices();
		this.speeches = [];
		this.videos = [];
		this.providerKeys = [];
		this.numberedAssets = 0;
	}
}
