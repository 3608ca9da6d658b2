import type { Field } from '../../transport/parameters';

/** For users who know that their service does not carry out a request whose response is lost. */
export const retryUnknownOutcome: Field = {
	displayName: 'Retry If Outcome Is Unknown',
	name: 'retryUnknownOutcome',
	type: 'boolean',
	default: false,
	description:
		"Whether Retry On Fail, in the node's settings, may send the request again when it is not known if the service carried it out. The result may then be created, and charged, twice.",
	isLocal: true,
};
