#!/bin/sh
# n8n sends an item to a node's error output by the keys of its `json`: in n8n 1.x `error` alone, or with
# `message`; in 2.41 also with `details`. An `error` on the item does it in both, and then replaces its
# `json` by the message, unless that `error` is not enumerable and the item is linked.
# Seen: `{ error, message, details }` comes out as a success in n8n-core 1.122.48, and as an error in 2.41.1.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
cat >finding.cjs <<'EOF'
const { isVersion1, observe, run } = require('./engine.cjs');

async function getOutput(json, error) {
	const item = { json, pairedItem: { item: 0 } };
	if (error) Object.defineProperty(item, 'error', error);
	const { outputs } = await run({
		type: { execute: async () => [[item]] },
		settings: { onError: 'continueErrorOutput' },
	});
	const index = outputs.findIndex((items) => items.length > 0);
	return `${['success', 'error'][index]}: ${Object.keys(outputs[index][0].json).join(', ')}`;
}

const keys = { error: 'Refused', message: 'Refused', details: {} };
const error = { value: { message: 'Refused' } };
observe(
	async () => ({
		one: await getOutput({ error: 'Refused' }),
		two: await getOutput({ error: 'Refused', message: 'Refused' }),
		three: await getOutput({ ...keys }),
		threeWithHiddenError: await getOutput({ ...keys }, error),
		threeWithError: await getOutput({ ...keys }, { ...error, enumerable: true }),
	}),
	{
		one: 'error: error',
		two: 'error: error, message',
		three: `${isVersion1 ? 'success' : 'error'}: error, message, details`,
		threeWithHiddenError: 'error: error, message, details',
		threeWithError: 'error: error',
	},
);
EOF
install n8n-core@1.122.48
node finding.cjs
install n8n-core@2.41.1
node finding.cjs
