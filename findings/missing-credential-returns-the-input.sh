#!/bin/sh
# A declarative node without its credential fails before its code runs, and with On Error: Continue n8n
# passes the input on as the output, so that the next node cannot tell that nothing was done.
# Seen: the output is the input, without an error in it.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-core@2.41.1
node - <<'EOF'
const { observe, run } = require('./engine.cjs');

const routing = { request: { method: 'GET', url: '/' } };
const field = { displayName: 'Field', name: 'field', type: 'string', default: '', routing };
const credentials = [{ name: 'api', required: true }];
const requestDefaults = { baseURL: 'https://api.example.com' };
async function look() {
	const setup = {
		type: { description: { requestDefaults, credentials, properties: [field] } },
		items: [{ json: { name: 'the input' } }],
	};
	const stop = await run(setup);
	const { items } = await run({ ...setup, settings: { onError: 'continueRegularOutput' } });
	return { stop: stop.error.message, continue: items.map(({ json, error }) => ({ json, error })) };
}

observe(look, {
	stop: 'Node does not have any credentials set',
	continue: [{ json: { name: 'the input' }, error: undefined }],
});
EOF
