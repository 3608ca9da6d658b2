import { toCleanLine } from '../../execution/convertValue';
import { getExtension, getMediaKind } from '../../execution/mediaTypes';

/** @returns the name of a file without its extension, if that is one */
export function getDefaultName(fileName = ''): string {
	const whole = toCleanLine(fileName).trim() || 'Untitled';
	const extension = getExtension(whole);
	if (getMediaKind(extension) === undefined) return whole;
	return whole.slice(0, -extension.length - 1).trim() || whole;
}
