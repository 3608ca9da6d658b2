import type { Owner } from '../n8n/owner';

/**
 * A script of n8n's pages that logs a browser in with the e-mail address and the password in the
 * fragment of a link, before the editor starts.
 *
 * A browser sends the session cookie to every port of this machine. So the session is bound to the
 * browser ID that n8n's editor keeps in the storage of its own origin: n8n refuses the cookie alone.
 */
const LOGIN_SCRIPT = `(() => {
	const { email, password } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
	if (!password) return;
	const browserId = localStorage.getItem('n8n-browserId') ?? crypto.randomUUID();
	localStorage.setItem('n8n-browserId', browserId);
	const request = new XMLHttpRequest();
	request.open('POST', '/rest/login', false);
	request.setRequestHeader('content-type', 'application/json');
	request.setRequestHeader('browser-id', browserId);
	request.send(JSON.stringify({ emailOrLdapLoginId: email, password }));
	history.replaceState(null, '', location.pathname);
})()`;

/** Makes n8n add the script to its pages. It separates the addresses of scripts by semicolons. */
export const LOGIN_ENVIRONMENT = {
	EXTERNAL_FRONTEND_HOOKS_URLS: `data:text/javascript,${encodeURIComponent(LOGIN_SCRIPT)}`,
};

/** @returns a link that opens the editor, logged in; no server is sent what is in its fragment */
export function createLoginLink(n8n: {
	url: string;
	owner: Pick<Owner, 'email' | 'password'>;
}): string {
	const { email, password } = n8n.owner;
	return `${n8n.url}/#${new URLSearchParams({ email, password }).toString()}`;
}
