import { getStatusRule } from './statuses';
import { RequestError } from './userError';

/** Where the proxy is set that a request may have gone through. */
const NODE_PROXY = 'Proxy under Request Options, in the Settings tab';
const ENVIRONMENT_PROXY = 'HTTP_PROXY, HTTPS_PROXY or ALL_PROXY in the environment of n8n';

/** The error of a firewall, whose page says nothing about the account, its plan or its limits. */
const FIREWALL = {
	code: 'firewall',
	summary: 'A firewall or a proxy in front of the service blocked the request',
	hint: 'It blocks requests for their content, or for the address of this n8n. If other items succeed, change the values of this one. Otherwise ask the support team of the service, or whoever runs the proxy, to allow it.',
} as const;

/** Creates the error for an error response, as the row of its status says. */
export function createStatusError(status: number): RequestError {
	const { code, summary, hint, outcome, again } = getStatusRule(status);
	const isTransient = again === 'soon' || again === 'inTurn';
	return new RequestError(summary, hint, { code, status, outcome, isTransient });
}

/**
 * Says who may have responded, once the body is read: what a proxy or a firewall says is not about the
 * account. If the user set no proxy, the environment of n8n may, which this node cannot know.
 *
 * @param body what the response contains: JSON is from the service
 */
export function explainSender(
	error: RequestError,
	body: 'json' | 'page' | 'other',
	hasProxy: boolean,
): RequestError {
	const { code, status } = error.details;
	const proxy = hasProxy ? NODE_PROXY : ENVIRONMENT_PROXY;
	if (code === 'proxy') return error.with({ hint: `Set them in ${proxy}.` });
	if (body === 'json' || !getStatusRule(status).mayBeOfProxy) return error;
	const isFirewall = status === 403 && body === 'page';
	const explained = isFirewall ? error.with(FIREWALL) : error;
	const origin = `The response is not JSON, so it may be from a proxy between n8n and the service (${proxy}).`;
	return explained.with({ hint: `${explained.hint} ${origin}` });
}
