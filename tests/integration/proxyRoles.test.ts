/**
 * Grafana's proxy compares paths literally and Express does not: no spelling of a path may bypass the role that it requires.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ProxyRoute } from '../../standalone/server/pluginJson.ts';
import { asRole, call, PROXY, startTestConsole } from '../../standalone/server/console.testing.ts';
import { COMPOSE_YAML, GETH, NOTIFICATIONS_YAML, register } from './packages.testing.ts';
import { ADMIN_TOKEN, TestBridge } from './support.ts';

const FILE = path.join(import.meta.dirname, '..', '..', 'plugin.json');
const { routes } = JSON.parse(readFileSync(FILE, 'utf8')) as { routes: ProxyRoute[] };
const RANK = ['Viewer', 'Editor', 'Admin'];
const rank = ({ reqRole }: ProxyRoute): number => RANK.indexOf(reqRole ?? 'Viewer');
const methodOf = ({ method }: ProxyRoute): string => method ?? '*';

test('no path that requires a higher role is below a wildcard with a lower one', () => {
  const shadows = routes.flatMap((high) =>
    routes
      .filter((low) => low.path.endsWith('*') && low.method === high.method && rank(low) < rank(high))
      .filter((low) => high.path.toLowerCase().startsWith(low.path.slice(0, -1).toLowerCase()))
      .map((low) => `${methodOf(high)} ${high.path} (${high.reqRole}) is below ${low.path} (${low.reqRole})`)
  );
  expect(shadows).toEqual([]);
});

const ADMIN_ONLY = routes
  .filter(({ reqRole }) => reqRole === 'Admin')
  .map((one) => [methodOf(one), one.path.replace('*', 'x.eth')] as const);
const MANIFEST_ADDRESS = '{"url":"http://127.0.0.1:1/manifest.json"}';

/** Other spellings of a path, and paths from a sibling that Editors may call. */
function spellings(at: string): string[] {
  const last = at.slice(at.lastIndexOf('/') + 1);
  const words = [last, last[0]!.toUpperCase() + last.slice(1), last.toUpperCase()];
  const written = words.map((word) => at.slice(0, -last.length) + word);
  const below = at.slice('api/v1/'.length);
  return [
    ...written.flatMap((one) => ['', '/', '//', '%2F', '%2f'].map((end) => one + end)),
    at.toUpperCase(),
    ...['packages', 'notifications', 'settings'].map((room) => `api/v1/${room}/..%2F${below}`),
  ];
}

describe('operations for admins only', () => {
  test.each(ADMIN_ONLY)('%s %s cannot be reached by an Editor, in any spelling', async (method, wanted) => {
    const bridge = await TestBridge.start();
    onTestFinished(() => bridge.dispose());
    const host = await startTestConsole(bridge.url, { bridgeToken: ADMIN_TOKEN });
    const ask = (role: string, at: string) => {
      const headers = { ...asRole(role), 'content-type': 'application/json' };
      return call(host.url, `${PROXY}/${at}`, {
        method,
        headers,
        ...(method === 'POST' && { body: MANIFEST_ADDRESS }),
      });
    };
    const { status, body } = await ask('Admin', wanted);
    const reached = resultOf(body);
    expect([status, reached]).not.toEqual([403, 'plugin proxy route access denied']);
    for (const at of spellings(wanted)) {
      const answer = await ask('Editor', at);
      expect([answer.status, resultOf(answer.body)], at).not.toEqual([status, reached]);
    }
  });
});

test('what a Viewer can read of a package contains no secrets of its files', async () => {
  const bridge = await TestBridge.start();
  onTestFinished(() => bridge.dispose());
  const compose = COMPOSE_YAML.replace('EXTRA_OPTS=', 'EXTRA_OPTS=of-the-compose-file');
  const notifications = NOTIFICATIONS_YAML.replace('method: POST', 'method: POST\n    headers: { X-Key: of-a-header }');
  await register(bridge, {}, { compose, notifications });
  const host = await startTestConsole(bridge.url, { bridgeToken: ADMIN_TOKEN });
  const ask = (role: string, at: string) => call(host.url, `${PROXY}/api/v1/${at}`, { headers: asRole(role) });
  const files = `package-files/${GETH}`;
  const paths = [
    'packages',
    `packages/${GETH}`,
    `packages/${GETH}/dashboards`,
    `packages/${GETH}/endpoints`,
    'endpoints',
  ];
  for (const at of [...paths, 'chains', 'notifications', 'categories']) {
    const { status, body } = await ask('Viewer', at);
    expect(status, at).toBe(200);
    expect(body, at).not.toMatch(/of-the-compose-file|of-a-header/);
  }
  expect((await ask('Viewer', files)).status).toBe(403);
  expect((await ask('Viewer', `packages/..%2F${files}`)).status).toBe(400);
  const { body } = await ask('Editor', files);
  expect(JSON.parse(body)).toMatchObject({ compose, notifications });
  expect([compose, notifications].map((text) => /of-the-compose-file|of-a-header/.test(text))).toEqual([true, true]);
});

/** The kind of a response: the text of an error, or the names of its members. */
function resultOf(body: string): unknown {
  const { detail, message, ...members } = JSON.parse(body) as Record<string, unknown>;
  return detail ?? message ?? Object.keys(members);
}
