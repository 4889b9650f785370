import { request } from 'node:http';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../folder.testing.ts';
import { startBridge } from '../../bridge.ts';
import { readConfig } from '../../config.ts';
import { sendRaw } from './httpServer.testing.ts';

const dataDir = temporaryFolder(afterAll);

async function statusFor(host: string, environment: Record<string, string>): Promise<number | undefined> {
  const config = readConfig({ NODEBELL_PORT: '0', NODEBELL_DATA_DIR: dataDir, ...environment });
  const bridge = await startBridge({ ...config, host: '127.0.0.1', port: 0 }, pino({ level: 'silent' }));
  try {
    return await new Promise((resolve, reject) => {
      request(`${bridge.url}/healthz`, { headers: { Host: host } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
  } finally {
    await bridge.close();
  }
}

test.each([
  ['a loopback address', '127.0.0.1:8080', {}, 200],
  ['localhost', 'LOCALHOST:8080', {}, 200],
  ['the loopback address of IPv6', '[::1]:8080', {}, 200],
  ['a name that a stranger makes point here', 'rebound.example:8080', {}, 403],
  ['a name that begins like one of ours', 'localhost.example', {}, 403],
  ['a name that the operator allows', 'node.lan', { NODEBELL_ALLOWED_HOSTS: 'box.lan, Node.lan' }, 200],
  ['another one then', 'rebound.example', { NODEBELL_ALLOWED_HOSTS: 'node.lan' }, 403],
  [
    'any name, where others can reach the bridge anyway',
    'node.lan',
    { NODEBELL_HOST: '0.0.0.0', NODEBELL_AUTH: 'token' },
    200,
  ],
])('Host is %s', async (_what, host, environment, status) => {
  expect(await statusFor(host, environment as Record<string, string>)).toBe(status);
});

test.each([
  ['two that differ', 'Host: localhost\r\nHost: rebound.example'],
  ['the same twice', 'Host: localhost\r\nhOST: localhost'],
])('%s: 400', async (_what, headers) => {
  const config = readConfig({ NODEBELL_PORT: '0', NODEBELL_DATA_DIR: dataDir });
  const bridge = await startBridge({ ...config, host: '127.0.0.1', port: 0 }, pino({ level: 'silent' }));
  try {
    const { port } = new URL(bridge.url);
    const answer = await sendRaw(Number(port), `GET /healthz HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('more than one Host header');
  } finally {
    await bridge.close();
  }
});
