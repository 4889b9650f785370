import { readFileSync } from 'node:fs';
import { startConsole } from './console.ts';
import { EXAMPLE_RULES } from './exampleRules.ts';

const { NODEBELL_CONSOLE_PORT, NODEBELL_BRIDGE_URL, NODEBELL_ADMIN_TOKEN, NODEBELL_ADMIN_TOKEN_FILE } = process.env;

const running = await startConsole({
  rules: EXAMPLE_RULES,
  port: Number(NODEBELL_CONSOLE_PORT ?? 3001),
  bridgeUrl: NODEBELL_BRIDGE_URL ?? 'http://127.0.0.1:8080',
  bridgeToken:
    NODEBELL_ADMIN_TOKEN ?? (NODEBELL_ADMIN_TOKEN_FILE ? readFileSync(NODEBELL_ADMIN_TOKEN_FILE, 'utf8').trim() : ''),
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void running.close().then(() => process.exit(0)));
}
