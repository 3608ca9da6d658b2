import { startService } from '../../service/service';

/**
 * The stand-in with one large file, in a separate process so that its memory is not counted as the
 * node's. It sends its URL to the parent and ends when the parent does.
 */
async function main(): Promise<void> {
	const [id = '', size = '0'] = process.argv.slice(2);
	const service = await startService({ seed: false });
	service.assets = [
		{ id, name: 'Film', extension: '.mp4', size: Number(size) },
		{ id: id.replace(/.$/, '0'), name: 'Clip', extension: '.mp4', size: 1_000_000 },
	];
	process.stdout.write(`${service.url}\n`);
	process.stdin.resume().once('end', () => void service.close());
}

void main();
