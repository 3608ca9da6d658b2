export declare function npmCli(): string;
