import type { Fault } from '../../service/service';

/** A response with this body, whose host says that it is of this type. */
export function asType(type: string, body: Fault['body']): Fault {
	return { body, headers: { 'content-type': type } };
}
