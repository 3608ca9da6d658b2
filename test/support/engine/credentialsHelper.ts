import type { ICredentialsHelper, IHttpRequestOptions, INodeParameters } from 'n8n-workflow';

import { nodeTypes } from './nodeTypes';
import type { Credentials } from './parts';

/** The ID of a credential that somebody has deleted. */
export const DELETED = 'deleted';

/** Does what n8n's credentials-helper.js does for a credential whose `authenticate` is a function. */
export class CredentialsHelper {
	constructor(private readonly data: Credentials) {}

	async authenticate(
		credentials: Credentials,
		type: string,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = nodeTypes.credential(type);
		return typeof authenticate === 'function' ? await authenticate(credentials, options) : options;
	}

	/** Returns the fields, with expressions evaluated for the item. Throws if the credential is deleted. */
	async getDecrypted(
		...[, { id }, type, mode, executeData, , item]: Parameters<ICredentialsHelper['getDecrypted']>
	): Promise<Credentials> {
		if (id === DELETED) {
			throw new Error(`Credential with ID "${DELETED}" does not exist for type "${type}".`);
		}
		if (!item) return await Promise.resolve({ ...this.data });
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = item;
		const place = [runExecutionData, runIndex, itemIndex, node.name, connectionInputData] as const;
		const data = this.data as INodeParameters;
		const { expression } = workflow;
		return expression.getParameterValue(data, ...place, mode, {}, executeData) as Credentials;
	}

	getParentTypes = () => [];
	getCredentialsProperties = (type: string) => nodeTypes.credential(type).properties;
	isCredentialUsableByNode = () => true;
	preAuthentication = async () => await Promise.resolve(undefined);
}
