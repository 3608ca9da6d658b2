import { UserError } from '../errors/userError';

/**
 * Encodes an ID, which may come from the service, for the path of a URL.
 *
 * @throws UserError for one without an encoding, and for "", "." and "..", which lead elsewhere
 */
export function encodePathSegment(id: unknown): string {
	const text = typeof id === 'number' ? String(id) : id;
	if (typeof text === 'string' && !/^\.{0,2}$|\p{Cs}/u.test(text)) return encodeURIComponent(text);
	throw new UserError('The ID of this record cannot be part of a URL', '');
}
