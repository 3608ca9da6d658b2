import type { Owner } from '../n8n/owner';
import { startsByItself, type Workflow } from '../n8n/workflow';
import { SAMPLE_AVATAR_ID, type Service } from '../service/service';

/** Returns the text that is shown when everything is running. */
export function formatWelcome(demo: {
	seconds: number;
	login: string;
	n8n: string;
	owner: Pick<Owner, 'email' | 'password'>;
	service: Pick<Service, 'url' | 'apiKey' | 'fastUrl' | 'fastApiKey'>;
	/** Whether the stand-in is as the specification alone says, without the fast branch. */
	isAsSpecified?: boolean;
	folder: string;
	workflows: Workflow[];
}): string {
	const width = Math.max(...demo.workflows.map(({ name }) => name.length));
	return [
		'',
		`Ready after ${demo.seconds} s. Fill in a form, and watch the finished video seconds later:`,
		'',
		`    ${demo.n8n}/form/${demo.workflows.flatMap(getFormPaths)[0]}`,
		'',
		'Open the editor, logged in (the link contains the password):',
		'',
		`    ${demo.login}`,
		'',
		'Examples',
		...demo.workflows.map(
			(workflow) =>
				`    ${workflow.name.padEnd(width)}  ${demo.n8n}/workflow/${workflow.id}` +
				(startsByItself(workflow) ? '  (published)' : ''),
		),
		'',
		`n8n        ${demo.n8n}  (${demo.owner.email}, password ${demo.owner.password})`,
		`Base URL   ${demo.service.url}  (the stand-in for the service; its data starts anew each time)`,
		`API Key    ${demo.service.apiKey}  (to practise with a credential of your own)`,
		...describeFastBranch(demo),
		`Avatar ID  ${SAMPLE_AVATAR_ID}  (an avatar of the stand-in, which lists more)`,
		`Kept in    ${demo.folder}  (npm start -- --fresh forgets it)`,
		'',
		'Ctrl-C stops everything.',
	].join('\n');
}

function describeFastBranch({
	service: { fastUrl, fastApiKey },
	isAsSpecified,
}: Pick<Parameters<typeof formatWelcome>[0], 'service' | 'isAsSpecified'>): string[] {
	if (isAsSpecified) return [];
	return [`Fast       ${fastUrl}  (its fast branch, key ${fastApiKey}, for Video: Create Fast)`];
}

/** The published forms that need no account. */
function getFormPaths(workflow: Workflow): string[] {
	if (!startsByItself(workflow)) return [];
	return workflow.nodes
		.filter(({ type }) => type === 'n8n-nodes-base.formTrigger')
		.map(({ parameters }) => (parameters.options as { path: string }).path);
}
