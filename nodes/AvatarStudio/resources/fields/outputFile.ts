import type { Field } from '../../transport/parameters';

export const outputFile: Field = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the file in',
	description: 'Name of the output field for the file. Nodes that follow find the file under it.',
	isLocal: true,
};

export const optionalOutputFile: Field = { ...outputFile, required: false };
