import type {
	ICredentialDataDecryptedObject,
	ICredentialsExpressionResolveValues,
	IExecuteData,
	IHttpRequestOptions,
	INodeCredentialsDetails,
	INodeParameters,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import type { NodeTypes } from './nodeTypes';

/** The ID of a credential that somebody has deleted. */
export const DELETED = 'deleted';

/** What n8n's credentials-helper.js does for a credential whose `authenticate` is a function. */
export class CredentialsHelper {
	constructor(
		private readonly nodeTypes: NodeTypes,
		private readonly data: ICredentialDataDecryptedObject,
	) {}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		type: string,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.nodeTypes.credential(type);
		return typeof authenticate === 'function' ? await authenticate(credentials, options) : options;
	}

	/** The fields, with expressions evaluated for the item, if the credential was not deleted. */
	async getDecrypted(
		_data?: IWorkflowExecuteAdditionalData,
		credentials?: INodeCredentialsDetails,
		type?: string,
		mode: WorkflowExecuteMode = 'manual',
		executeData?: IExecuteData,
		_raw?: boolean,
		item?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		if (credentials?.id === DELETED) {
			throw new Error(`Credential with ID "${DELETED}" does not exist for type "${type}".`);
		}
		if (!item) return await Promise.resolve({ ...this.data });
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = item;
		return workflow.expression.getParameterValue(
			this.data as INodeParameters,
			runExecutionData,
			runIndex,
			itemIndex,
			node.name,
			connectionInputData,
			mode,
			{},
			executeData,
		) as ICredentialDataDecryptedObject;
	}

	getParentTypes = () => [];
	getCredentialsProperties = (type: string) => this.nodeTypes.credential(type).properties;
	isCredentialUsableByNode = () => true;
	preAuthentication = async () => await Promise.resolve(undefined);
}
