import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// n8n-core reads these once, when it is first imported.
process.env.N8N_USER_FOLDER = mkdtempSync(path.join(tmpdir(), 'n8n-'));
process.env.N8N_ENCRYPTION_KEY = 'a key for tests';
process.env.N8N_RUNNERS_ENABLED = 'false';
// The trigger logs the records it holds back, which tests do not need to see.
process.env.N8N_LOG_LEVEL = 'error';

// n8n would send its requests to the stand-in through a proxy.
for (const name of Object.keys(process.env)) {
	if (/^(https?|all)_proxy$/i.test(name)) delete process.env[name];
}
