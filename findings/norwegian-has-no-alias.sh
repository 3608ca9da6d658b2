#!/bin/sh
# Most old language codes are aliases in CLDR, so Intl.Locale replaces them (iw is he). "no" is not one of
# them: voices tagged no-NO and nb-NO are two languages to Intl.
# Seen: with the aliases of CLDR 48 and the Intl of this Node.js, iw, mo and tl have a new code, no has none.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install cldr-core@48.0.0
node - <<'EOF'
const assert = require('node:assert/strict');
const { supplemental } = require('cldr-core/supplemental/aliases.json');

const { languageAlias } = supplemental.metadata.alias;
const describe = (code) => [languageAlias[code]?._replacement, new Intl.Locale(code).language];
const seen = Object.fromEntries(['iw', 'mo', 'tl', 'no'].map((code) => [code, describe(code)]));
seen.likely = ['no', 'nb'].map((code) => new Intl.Locale(code).maximize().toString());
console.log(seen);
assert.deepStrictEqual(seen, {
	iw: ['he', 'he'],
	mo: ['ro', 'ro'],
	tl: ['fil', 'fil'],
	no: [undefined, 'no'],
	likely: ['no-Latn-NO', 'nb-Latn-NO'],
});
EOF
