import { Socket } from 'node:net';

import { useClock } from '../../support/clock';
import { getErrorText } from '../../support/engine/engine';
import { createVideo, getAsset } from '../../support/parameters';
import { useStudio } from '../../support/studio';

const studio = useStudio();
const clock = useClock();
beforeEach(() => clock.run(100));

const TRIES = 4;

/** An error of a system call, as Node.js makes it. */
const systemError = (syscall: string, code: string) =>
	Object.assign(new Error(`${syscall} ${code}`), { syscall, code });

/** Lets the operating system refuse the first connections. */
function failConnecting(error: Error, times: number): void {
	const refuse = function (this: Socket) {
		process.nextTick(() => this.destroy(error));
		return this;
	};
	const connect = jest.spyOn(Socket.prototype, 'connect');
	for (let failures = 0; failures < times; failures++) connect.mockImplementationOnce(refuse);
}
afterEach(() => jest.restoreAllMocks());

describe.each([
	['connect', 'EACCES', 'blocked'],
	['connect', 'EPERM', 'blocked'],
	['connect', 'EHOSTUNREACH', 'cannot be reached'],
	['connect', 'ENETUNREACH', 'cannot be reached'],
	['connect', 'ETIMEDOUT', 'cannot be reached'],
	['getaddrinfo', 'EAI_AGAIN', 'could not be looked up'],
])('a request that never leaves (%s %s)', (syscall, code, words) => {
	it('is sent again, also if it makes a video', async () => {
		failConnecting(systemError(syscall, code), 2);
		const { error } = await studio.run(createVideo());

		expect(error).toBeUndefined();
		expect(studio.getRoutes()).toEqual(['POST /v1/talkingphotos']);
	});

	it('ends as an error that speaks of the connection, not of a disk or a video', async () => {
		failConnecting(systemError(syscall, code), TRIES);
		const { error } = await studio.run(createVideo());

		expect(getErrorText(error)).toContain(words);
		expect(getErrorText(error)).not.toMatch(/store|may exist/);
		expect(studio.getRoutes()).toEqual([]);
	});
});

it('a host with several addresses is one that cannot be reached if none of them can', async () => {
	const errors = ['EHOSTUNREACH', 'ENETUNREACH'].map((code) => systemError('connect', code));
	failConnecting(Object.assign(new AggregateError(errors), { code: 'EHOSTUNREACH' }), TRIES);
	const { error } = await studio.run(createVideo());

	expect(getErrorText(error)).toContain('cannot be reached');
	expect(getErrorText(error)).not.toContain('may exist');
});

it.each(['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EACCES'])(
	'a video may exist if the connection is lost later with the same code (%s)',
	async (code) => {
		const connect = jest.spyOn(Socket.prototype, 'connect');
		studio.service.injectFault({ hang: true, afterEffect: true });
		const running = studio.run(createVideo());
		await studio.service.waitForRequest();
		for (const socket of connect.mock.contexts as Socket[]) {
			socket.destroy(systemError('read', code));
		}
		const { error } = await running;

		expect(getErrorText(error)).toContain('may exist');
		expect(getErrorText(error)).not.toContain('store');
		expect(studio.service.videos).toHaveLength(1);
	},
);

it('no network error is taken for one of the disk', async () => {
	for (const code of ['ENOSPC', 'EIO', 'EMFILE', 'ENOENT']) {
		jest.restoreAllMocks();
		failConnecting(systemError('connect', code), TRIES);
		const { error } = await studio.run(getAsset('123e4567-e89b-12d3-a456-426614174000'));

		expect(getErrorText(error)).not.toContain('store');
	}
});
