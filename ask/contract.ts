import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

interface Contract {
	components: { schemas: Record<string, { properties: object }> };
}

const contract = parse(
	readFileSync(join(__dirname, '../service/openapi.yaml'), 'utf8'),
) as Contract;

/** @returns the fields that service/openapi.yaml documents for a record */
export function documentedFields(schema: 'Asset' | 'Voice'): string[] {
	return Object.keys(contract.components.schemas[schema]!.properties);
}
