import type { ICredentialDataDecryptedObject, IWorkflowExecuteAdditionalData } from 'n8n-workflow';

import { CredentialsHelper } from './credentialsHelper';
import type { NodeTypes } from './nodeTypes';

/** What n8n passes to an execution, poll, list search or credential test besides the workflow. */
export function createAdditionalData(
	nodeTypes: NodeTypes,
	credentials: ICredentialDataDecryptedObject,
): IWorkflowExecuteAdditionalData {
	const host = 'http://127.0.0.1';
	return {
		executionId: 'execution',
		credentialsHelper: new CredentialsHelper(nodeTypes, credentials),
		currentNodeExecutionIndex: 0,
		restApiUrl: `${host}/rest`,
		instanceBaseUrl: host,
		webhookBaseUrl: `${host}/webhook`,
		webhookWaitingBaseUrl: `${host}/webhook-waiting`,
		webhookTestBaseUrl: `${host}/webhook-test`,
		formWaitingBaseUrl: `${host}/form-waiting`,
		variables: {},
		userId: 'user',
		setExecutionStatus() {},
		sendDataToUI() {},
		externalSecretsProxy: {
			getSecret() {},
			hasProvider: () => false,
			listProviders: () => [],
			hasSecret: () => false,
			listSecrets: () => [],
		},
	} as unknown as IWorkflowExecuteAdditionalData;
}
