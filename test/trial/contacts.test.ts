import { clearTables, interruptTables, openTable } from '../examples/dataTables';
import { runTemplate } from '../examples/runTemplate';
import { useStudio } from '../support/studio';

const studio = useStudio({ speechResponse: 'link' });

beforeEach(clearTables);

const createContact = (id: number, more = {}) => ({
	properties: { firstname: { value: `Ada ${id}` }, email: { value: `${id}@example.com` } },
	...more,
});

// The note says: "Replace HubSpot with your own CRM: Create video only needs a first name."
test('Contacts of a service that names their ID otherwise are not taken for one', async () => {
	const result = await runTemplate(studio, 'personal-video-for-contact', {
		'New contact': [1, 2, 3].map((contactId) => ({ contactId })),
		'Get contact': [1, 2, 3].map((id) => createContact(id, { id })),
	});
	const told = result.sent('Mail a colleague').length;
	expect(studio.service.videos.length + told).toBe(3);
});

test('A contact that was greeted is not reported because n8n was killed when it came again', async () => {
	const greet = async () =>
		await runTemplate(studio, 'personal-video-for-contact', {
			'New contact': [{ contactId: 1 }],
			'Get contact': [createContact(1, { vid: 1 })],
		});
	await greet();
	interruptTables(2, () => {
		throw new Error('n8n was killed');
	});
	await greet();
	for (const row of openTable('Greeted contacts').rows) row.createdAt = new Date(0);
	const result = await runTemplate(studio, 'personal-video-for-contact', { 'Every morning': [{}] });
	expect(result.sent('Mail a colleague')).toEqual([]);
});
