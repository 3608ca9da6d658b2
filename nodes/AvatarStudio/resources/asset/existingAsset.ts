import { encodePathSegment } from '../../client/encodePathSegment';
import { UserError } from '../../errors/userError';
import { quote } from '../../errors/values';
import type { ItemExecution } from '../../execution/itemExecution';
import type { Field } from '../../execution/parameters';
import { normalize, toText } from '../phrase';

import { assetList } from './asset';

export const ifNameExists: Field = {
	displayName: 'If Name Exists',
	name: 'ifNameExists',
	type: 'options',
	options: [
		{ name: 'Create', value: 'create', description: 'Create another asset with the same name' },
		{ name: 'Fail', value: 'fail', description: 'Create nothing and report an error' },
		{ name: 'Return', value: 'return', description: 'Create nothing and return that asset' },
	],
	default: 'create',
	description:
		'What to do if an asset had this name before the run. Spaces at the ends and case do not matter.',
};

/**
 * Turns the request for a new asset into one for the asset of that name, if there is one and the
 * user wants it returned. The items of a run share one list.
 *
 * @returns whether it did
 * @throws UserError if the user wants it to fail instead
 */
export async function reuseExistingAsset(
	{ client, parameters, request }: ItemExecution,
	name: string,
): Promise<boolean> {
	const { ifNameExists: choice = ifNameExists.default } = parameters;
	if (choice === 'create') return false;
	if (choice !== 'return' && choice !== 'fail') {
		throw new UserError('If Name Exists is not one of its options', 'Use create, fail or return.');
	}
	// An earlier attempt may have created it since the list was read.
	if (request.earlierOutcome !== undefined) await client.forgetSharedRecords(assetList);
	const assets = await client.sharedRecords(assetList);
	const wanted = normalize(name);
	const existing = assets.find((asset) => normalize(toText(asset.name)) === wanted);
	if (!existing) return false;
	if (choice === 'fail') {
		throw new UserError(
			`The asset ${quote(name)} exists already`,
			'Enter another name, or change If Name Exists under Options.',
			'nameExists',
		);
	}
	const url = `${assetList.url}/${encodePathSegment(existing.id)}`;
	Object.assign(request, { method: 'GET', url, body: undefined });
	return true;
}
