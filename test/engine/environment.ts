import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// n8n-core reads these once, when it is first imported.
process.env.N8N_USER_FOLDER = mkdtempSync(path.join(tmpdir(), 'avatar-studio-test-'));
process.env.N8N_ENCRYPTION_KEY = 'a key for tests';
process.env.N8N_RUNNERS_ENABLED = 'false';
