import { setSafeRegexEngine } from 'n8n-workflow';

/**
 * n8n limits a pattern to 250 ms of real time (n8n-workflow, safe-regex.js). On a busy machine that
 * may pass before the pattern has started, and no test may depend on it.
 */
export function removeRegexTimeLimit(): void {
	setSafeRegexEngine({
		exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
		test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
		replace: (pattern, input, flags, by) => input.replace(new RegExp(pattern, flags), by),
		matchAll: (pattern, input, flags = '') => [
			...input.matchAll(new RegExp(pattern, flags.includes('g') ? flags : `${flags}g`)),
		],
		split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
	});
}
