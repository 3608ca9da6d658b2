import { mkdtempSync } from 'node:fs';
import path from 'node:path';

// n8n-core reads these once, when it is first imported.
process.env.N8N_USER_FOLDER = mkdtempSync(path.join(process.env.AVATAR_STUDIO_TESTS ?? '', 'n8n-'));
process.env.N8N_ENCRYPTION_KEY = 'a key for tests';
process.env.N8N_RUNNERS_ENABLED = 'false';
// The trigger logs the records it holds back, which tests do not need to see.
process.env.N8N_LOG_LEVEL = 'error';
