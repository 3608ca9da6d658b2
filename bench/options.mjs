import { parseArgs } from 'node:util';

import { UserError } from '../scripts/userError.js';

export const HELP = `npm run bench [-- options]

Measures the node, n8n's HTTP Request node and a plain fetch loop side by side in a real n8n, and
writes docs/performance.md with its figures (performance.json) and plots. It took 19 minutes on
two cores, and 24 with one of them kept busy.

  --quick       fewer rounds and smaller cases, 2 to 6 minutes; writes nothing
  --busy        keeps another processor core busy meanwhile; stands beside the calm run in docs
  --only PARTS  of items, lists, files, package, profile, growth, with commas; writes nothing
  --package F   measure this tarball in place of the sources, to compare; writes nothing
  --help        this text
`;

const PARTS = ['items', 'lists', 'files', 'package', 'profile', 'growth'];

/**
 * Reads the command line; anything that is not understood is refused before any work starts.
 *
 * @param {string[]} args
 */
export function parseOptions(args) {
	let values;
	try {
		({ values } = parseArgs({
			args,
			options: {
				quick: { type: 'boolean', default: false },
				busy: { type: 'boolean', default: false },
				only: { type: 'string', default: PARTS.join(',') },
				package: { type: 'string' },
				help: { type: 'boolean', default: false },
			},
		}));
	} catch (error) {
		throw new UserError(error.message, HELP);
	}
	const parts = values.only.split(',');
	const unknown = parts.filter((part) => !PARTS.includes(part));
	if (unknown.length > 0) throw new UserError(`There is no part ${unknown.join(', ')}.`, HELP);
	const isWhole = PARTS.every((part) => parts.includes(part));
	return { ...values, parts, complete: isWhole && !values.quick && values.package === undefined };
}
