import createTemporaryFolder from './temporaryFolder';

/** Prepares a run of Jest, which calls this with its own options. */
export default function start({ updateSnapshot }: { updateSnapshot: string }): void {
	createTemporaryFolder();
	// Tests cannot see Jest's options, but inherit the environment.
	if (updateSnapshot === 'all') process.env.UPDATE_DOCUMENTS = 'true';
}
