import { UserError } from '../errors/userError';

/**
 * Encodes an ID for the path of a URL. IDs come from the service too, so the format of a parameter
 * does not guard the path.
 *
 * @throws UserError for an ID without an encoding, and for "", "." and "..", which would lead
 *   to another route
 */
export function encodePathSegment(id: unknown): string {
	const text = typeof id === 'number' ? String(id) : id;
	if (typeof text === 'string' && !/^\.{0,2}$|\p{Cs}/u.test(text)) return encodeURIComponent(text);
	throw new UserError(
		'The ID of this record cannot be part of a URL',
		'The node cannot request the record.',
	);
}
