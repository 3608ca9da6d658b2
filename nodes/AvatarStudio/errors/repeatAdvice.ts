/** The sentences of hints that advise to repeat what failed, or invite to. `removeRepeatAdvice` knows no others. */
export const NOTHING_CHANGED = 'Nothing was changed in the service.';
export const TRY_LATER = 'Try again later.';
export const RUN_AGAIN = 'Run it again.';
export const CORRECT_AND_TRY_AGAIN = 'Correct the values of this item and try again.';

const SENTENCES = [NOTHING_CHANGED, TRY_LATER, RUN_AGAIN].join('|');
const REPEAT_ADVICE = new RegExp(` and try again(?=\\.)|(^| )(${SENTENCES})`, 'g');

/**
 * Removes the advice to repeat from the hint of an error. Where something was created, or may have been,
 * whoever followed it would create and pay for that twice.
 */
export function removeRepeatAdvice(hint: string): string {
	return hint.replace(REPEAT_ADVICE, '').trim();
}
