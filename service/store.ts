import { createNumberedAssets, createSampleAssets, type Asset } from './assets';
import { createAvatars, type Avatar } from './avatars';
import type { ResolvedOptions } from './options';
import type { Rendering } from './rendering';
import { createVoices, type Voice } from './voices';

export interface Speech {
	id: string;
	voiceId: string;
	script: string;
}

/** Every field of the request, plus an ID and what the service adds. */
export interface Video extends Record<string, unknown> {
	id: string;
	videoTitle?: string;
	/** The title in the fast branch. */
	videoName?: string;
	script?: string;
	status?: string;
}

/** The records of the service, kept in memory. Tests read and replace them. */
export class Store {
	assets!: Asset[];
	voices!: Voice[];
	speeches!: Speech[];
	videos!: Video[];
	/** The videos of the fast branch. */
	fastVideos!: Video[];
	/** The renderings of videos, those of the fast branch included, by ID. */
	renderings!: Map<string, Rendering>;
	avatars!: Avatar[];
	/** The bodies of all requests that added the key of a voice provider. */
	providerKeys!: Record<string, unknown>[];
	/** How many assets `addAssets` has added, which numbers the next one. */
	private numberedAssets!: number;

	/** @param contents says which records there are at the start */
	constructor(private readonly contents: Pick<ResolvedOptions, 'seed' | 'asSpecified'>) {
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

	findAvatarByName(name: string | undefined): Avatar | undefined {
		return this.avatars.find((avatar) => avatar.name === name);
	}

	protected resetRecords(): void {
		const { asSpecified, seed } = this.contents;
		this.assets = seed ? createSampleAssets() : [];
		this.voices = createVoices(asSpecified);
		this.avatars = createAvatars();
		this.speeches = [];
		this.videos = [];
		this.fastVideos = [];
		this.renderings = new Map();
		this.providerKeys = [];
		this.numberedAssets = 0;
	}
}
