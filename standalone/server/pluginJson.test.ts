import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type PluginJson, readPluginJson } from './pluginJson.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const plugin = await readPluginJson(ROOT);

describe('plugin.json', () => {
  test('its id is valid for an app, and its logos exist', () => {
    expect(plugin.id).toMatch(/^[0-9a-z]+-([0-9a-z]+-)?app$/);
    expect(existsSync(path.join(ROOT, 'src', plugin.info.logos.small))).toBe(true);
    expect(existsSync(path.join(ROOT, 'src', plugin.info.logos.large))).toBe(true);
  });

  test('every page is below the app, or Grafana’s own page of it, and has a role', () => {
    for (const include of plugin.includes.filter(({ type }) => type === 'page')) {
      expect(include.path).toMatch(/^\/(a\/%PLUGIN_ID%\/[\w-]+|plugins\/%PLUGIN_ID%)$/);
      expect(include.role).toBeOneOf(['Viewer', 'Editor', 'Admin']);
      // Grafana's own page of an app has no action of ours.
      const own = include.path?.startsWith('/plugins/') ?? false;
      expect(include.action === undefined).toBe(own);
    }
  });

  test('every panel is at the path of its entry, with a valid id and existing logos', async () => {
    const panels = plugin.includes.filter(({ type }) => type === 'panel');
    expect(panels).not.toEqual([]);
    for (const include of panels) {
      const panel = JSON.parse(await readFile(path.join(ROOT, 'src', include.path!), 'utf8')) as PluginJson;
      expect(panel).toMatchObject({ type: 'panel', name: include.name });
      expect(panel.id).toMatch(/^nodebell-[0-9a-z]+-panel$/);
      // The build puts the app's logo beside each panel.
      expect(panel.info.logos).toEqual({ small: 'img/logo.svg', large: 'img/logo.svg' });
    }
  });

  test.each(plugin.routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'the route %s has one verb, an action that a role has, the secret in a header, and leads to its own path at the bridge',
    (_, { path: pattern, method, reqRole, reqAction, url, headers }) => {
      expect(method).toBeOneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
      expect(reqRole).toBeOneOf(['Viewer', 'Editor', 'Admin']);
      expect(pattern).toMatch(/^[\w./-]+(\/\*)?$/);
      expect(url).toBe(`{{ .JsonData.bridgeUrl }}/${pattern.replace(/\/\*$/, '')}`);
      const [, action] = /^nodebell-notifications-app\.([a-z]+:[a-z]+)$/.exec(reqAction ?? '') ?? [];
      expect(plugin.roles?.some(({ role }) => role.permissions.some((one) => one.action === reqAction))).toBe(true);
      const content = `Grafana action="${action}", token="{{ .SecureJsonData.bridgeToken }}"`;
      expect(headers).toEqual([{ name: 'Authorization', content }]);
    }
  );

  test('no route hides a later one of the same verb', () => {
    const seen: string[] = [];
    for (const { method, path: pattern } of plugin.routes) {
      const key = `${method} ${pattern.replace('*', '')}`;
      expect(seen.find((earlier) => earlier.endsWith('/') && key.startsWith(earlier))).toBeUndefined();
      seen.push(key);
    }
  });
});
