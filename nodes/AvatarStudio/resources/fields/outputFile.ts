import type { Field } from '../../transport/parameters';

export const outputFile: Field = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the output field to put the file in',
	description: 'The name of the output field that holds the file',
	isLocal: true,
};

export const optionalOutputFile: Field = { ...outputFile, required: false };
