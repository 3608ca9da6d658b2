import type { IWorkflowExecuteAdditionalData } from 'n8n-workflow';

import { CredentialsHelper } from './credentialsHelper';
import type { Credentials } from './parts';

/** What n8n passes to an execution, poll, list search or credential test besides the workflow. */
export function createAdditionalData(credentials: Credentials): IWorkflowExecuteAdditionalData {
	return {
		executionId: 'execution',
		credentialsHelper: new CredentialsHelper(credentials),
		currentNodeExecutionIndex: 0,
		restApiUrl: 'https://n8n.example.com/rest',
		webhookWaitingBaseUrl: 'https://n8n.example.com/webhook-waiting',
		formWaitingBaseUrl: 'https://n8n.example.com/form-waiting',
		variables: {},
		setExecutionStatus() {},
		sendDataToUI() {},
	} as unknown as IWorkflowExecuteAdditionalData;
}
