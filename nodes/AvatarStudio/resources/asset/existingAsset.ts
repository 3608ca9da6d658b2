import type { IDataObject, IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { encodePathSegment } from '../../client/encodePathSegment';
import { mayHaveHappened, RequestError } from '../../errors/requestError';
import { UserError } from '../../errors/userError';
import { quote } from '../../errors/values';
import { requestItems, type ItemExecution } from '../../execution/itemExecution';
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
		'What to do if an asset has this name, or another item of this run creates one. Spaces at the ends and case do not matter.',
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
	const choice = getChoice(parameters);
	if (choice === 'create') return false;
	if (choice !== 'return' && choice !== 'fail') {
		throw new UserError('If Name Exists is not one of its options', 'Use create, fail or return.');
	}
	const assets = await client.sharedRecords(assetList);
	if (assets.length > 0 && assets.every((asset) => toText(asset.name) === '')) {
		throw new UserError(
			'The service lists assets without their names',
			'Set If Name Exists to Create: the node cannot find out which names exist.',
		);
	}
	const wanted = normalize(name);
	const existing = assets.find((asset) => normalize(toText(asset.name)) === wanted);
	if (!existing) return false;
	if (choice === 'fail') throw createNameExistsError(name);
	const url = `${assetList.url}/${encodePathSegment(existing.id)}`;
	Object.assign(request, { method: 'GET', url, body: undefined });
	return true;
}

/**
 * Sends the request for an asset. Of the items of a run that are to create one of the same name, one
 * does; the others wait for it. If it created nothing, another one takes its place, unless the run
 * stops at the first error.
 *
 * @throws UserError if the user wants an item to fail whose name exists; RequestError of the other
 *   item if its asset may exist
 */
export async function requestAsset(item: ItemExecution): Promise<INodeExecutionData[]> {
	const { client, parameters, request } = item;
	const choice = getChoice(parameters);
	if (choice === 'create' || request.method === 'GET') return await requestItems(item);
	const name = toText((request.body as IDataObject).name);
	let isOwn = false;
	const create = async () => {
		isOwn = true;
		return await requestItems(item);
	};
	return await client
		.share(`asset ${normalize(name)}`, create)
		.then((created) => {
			if (isOwn) return created;
			if (choice === 'fail') throw createNameExistsError(name);
			return created.map(({ json }) => ({ json: { ...json } }));
		})
		.catch(async (error: unknown) => {
			if (error instanceof RequestError) {
				const goesOn = (client.context as IExecutePaginationFunctions).continueOnFail();
				const mayExist = mayHaveHappened(error.details.outcome);
				if (!isOwn && goesOn && !mayExist) return await requestAsset(item);
				// What was created nevertheless may be on the list when an item is executed later.
				if (mayExist) await client.forgetSharedRecords(assetList);
			}
			throw error;
		});
}

function getChoice({ ifNameExists: choice = ifNameExists.default }: IDataObject) {
	return choice;
}

function createNameExistsError(name: string): UserError {
	return new UserError(
		`The asset ${quote(name)} exists already`,
		'Enter another name, or change If Name Exists under Options.',
		'nameExists',
	);
}
