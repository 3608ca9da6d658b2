import type { RecordedRequest, Service } from '../../service/service';

/** n8n accepts no poll time shorter than a minute, but sixty that fire once a minute each. */
export const everySecond = {
	item: Array.from({ length: 60 }, (_, second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	})),
};

/** Waits until this many more polls for assets have begun, so that all earlier ones are finished. */
export async function waitForPolls(service: Service, count: number): Promise<void> {
	for (let left = count; left > 0; left--) {
		const before = new Set(service.requests);
		await service.waitForRequest((request) => isPoll(request) && !before.has(request));
	}
}

function isPoll({ path, query }: RecordedRequest): boolean {
	return path === '/v1/assets' && query.Page === '0' && query.PageSize !== '1';
}
