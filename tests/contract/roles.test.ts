/** Permissions in plugin.json and in the docs match the contract. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../backend-bridge/contract/api.ts';
import { accessRows, pluginRoles, pluginRoutes } from '../../backend-bridge/contract/proxyRoutes.ts';
import { type Action, ACTIONS } from '../../backend-bridge/contract/roles.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const plugin = JSON.parse(readFileSync(path.join(ROOT, 'plugin.json'), 'utf8')) as {
  id: string;
  routes: unknown;
  roles: unknown;
  includes: { name: string; action?: string }[];
};
const RENEW = 'node scripts/pluginAccess.mjs writes it anew';

test('plugin.json has the routes and roles of the contract', () => {
  expect(plugin.routes, RENEW).toEqual(pluginRoutes(plugin.id));
  expect(plugin.roles, RENEW).toEqual(pluginRoles(plugin.id));
});

test('every action is granted by exactly one role of the plugin', () => {
  const granted = pluginRoles('x').flatMap(({ role }) => role.permissions.map(({ action }) => action));
  expect(granted.sort()).toEqual(
    Object.keys(ACTIONS)
      .map((action) => `x.${action}`)
      .sort()
  );
});

test('every action is used', () => {
  const used = new Set(OPERATIONS.map(({ may }) => may));
  expect((Object.keys(ACTIONS) as Action[]).filter((action) => !used.has(action))).toEqual([]);
});

test('operations of read actions are GET, and of write actions are not, except for restricted reads', () => {
  const odd = OPERATIONS.filter(
    ({ method, may }) => may && (method === 'get') === ACTIONS[may].changes && ACTIONS[may].role === 'Viewer'
  );
  expect(odd).toEqual([]);
});

test('the pages of the app require existing actions', () => {
  const asked = plugin.includes.flatMap(({ action }) => action ?? []);
  expect(asked).toHaveLength(8);
  expect(asked.filter((action) => !Object.keys(ACTIONS).includes(action.slice(plugin.id.length + 1)))).toEqual([]);
});

test('docs/secure.md contains the table', () => {
  const page = readFileSync(path.join(ROOT, 'docs', 'secure.md'), 'utf8');
  const rows = page
    .split('## Roles in Grafana')[1]!
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => /^\| `[a-z]+:/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
    );
  expect(rows).toEqual(accessRows());
});
