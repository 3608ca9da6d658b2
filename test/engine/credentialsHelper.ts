import { Credentials } from 'n8n-core';
import {
	ICredentialsHelper,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
} from 'n8n-workflow';

import type { NodeTypes } from './nodeTypes';

/** What n8n's credentials-helper.js does for a credential whose `authenticate` is a function. */
export class CredentialsHelper extends ICredentialsHelper {
	constructor(
		private readonly nodeTypes: NodeTypes,
		private readonly data: ICredentialDataDecryptedObject,
	) {
		super();
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		type: string,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.nodeTypes.credential(type);
		return typeof authenticate === 'function' ? await authenticate(credentials, options) : options;
	}

	async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		return await Promise.resolve({ ...this.data });
	}

	async getCredentials({ id, name }: INodeCredentialsDetails, type: string) {
		return await Promise.resolve(new Credentials({ id, name }, type, ''));
	}

	getParentTypes = () => [];
	getCredentialsProperties = (type: string) => this.nodeTypes.credential(type).properties;
	isCredentialUsableByNode = () => true;
	preAuthentication = async () => await Promise.resolve(undefined);
	runPreAuthentication = async () => await Promise.resolve(undefined);
	updateCredentials = async () => await Promise.resolve();
	updateCredentialsOauthTokenData = async () => await Promise.resolve();
}
