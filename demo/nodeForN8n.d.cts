export declare function nodeForN8n(modules: string): string;
