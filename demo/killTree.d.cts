import type { ChildProcess } from 'node:child_process';

export declare function killTree(child: ChildProcess, signal: NodeJS.Signals): void;
