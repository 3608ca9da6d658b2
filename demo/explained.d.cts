export declare class Explained extends Error {
	readonly wayOn: string;
	constructor(message: string, wayOn: string);
}

export declare function printError(error: unknown): void;
