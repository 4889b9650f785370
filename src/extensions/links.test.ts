import type { PluginExtensionAddedLinkConfig } from '@grafana/data';
import { beforeEach, expect, it, vi } from 'vitest';
import pluginJson from '../../plugin.json' with { type: 'json' };
import { extensionComponents } from './components';
import { extensionLinks } from './links';
import { clockTime, rememberUnread } from './unread';

const kept = vi.hoisted(() => new Map<string, string>());
vi.mock('@grafana/data', () => ({
  getTimeZone: () => 'utc',
  store: { get: (key: string) => kept.get(key), set: (key: string, value: string) => kept.set(key, value) },
}));
vi.mock('@grafana/runtime', () => ({ config: { appSubUrl: '', bootData: { user: { orgId: 1, id: 2 } } } }));

const HOUR = 3600 * 1000;
const linkFor = (target: string): PluginExtensionAddedLinkConfig =>
  extensionLinks.find(({ targets }) => targets.includes(target))!;

beforeEach(() => kept.clear());

const declared = ({ title, description, targets }: { title: string; description?: string; targets: unknown }) => ({
  title,
  description,
  targets,
});

it('registers exactly what plugin.json declares, which Grafana compares', () => {
  expect(extensionLinks.map(declared)).toEqual(pluginJson.extensions.addedLinks);
  expect(extensionComponents.map(declared)).toEqual(pluginJson.extensions.addedComponents);
});

it('leads to a page or opens something, never both', () => {
  for (const { path, onClick } of extensionLinks) {
    expect(path === undefined).toBe(onClick !== undefined);
    expect(path ?? `/a/${pluginJson.id}/`).toMatch(`/a/${pluginJson.id}/`);
  }
});

it('has room in the menu of a panel, which cuts titles of 25 letters and more', () => {
  const titles = extensionLinks.filter(({ targets }) => targets.includes('grafana/dashboard/panel/menu'));
  expect(titles).toHaveLength(1);
  expect(titles[0]!.title.length).toBeLessThan(25);
});

it.each(pluginJson.languages)('has room there in %s as well', async (language) => {
  const path = `../locales/${language}/${pluginJson.id}.json`;
  const texts = (await import(path, { with: { type: 'json' } })) as {
    default: { extensions: { panel: { link: string } } };
  };
  expect(texts.default.extensions.panel.link).toMatch(/^.{5,24}$/);
});

it.each([
  ['grafana/commandpalette/action', 'Nodebell: Inbox', (time: string) => `Nodebell: Inbox: 1,200 unread at ${time}`],
  ['grafana/dashboard/sidebar/v1', 'Inbox', () => 'Inbox: 1,200'],
])('shows the unread count and its time at %s while it is recent', (target, plain, counted) => {
  const title = () => linkFor(target).configure!({})?.title;
  expect(title()).toBe(plain);
  const at = Date.now() - 11 * HOUR;
  rememberUnread(1200, at);
  expect(title()).toBe(counted(clockTime(at)));
  rememberUnread(1200, Date.now() - 13 * HOUR);
  expect(title()).toBe(plain);
  rememberUnread(1200, Date.now() + HOUR);
  expect(title()).toBe(plain);
});

it.each(['not JSON', '{}', '{"count":"x","at":1}', '{"count":-1,"at":1}', 'null'])(
  'ignores an invalid stored count: %s',
  (text) => {
    rememberUnread(1);
    kept.forEach((_, key) => kept.set(key, text));
    expect(linkFor('grafana/dashboard/sidebar/v1').configure!({})?.title).toBe('Inbox');
  }
);

it('is available for any alert, also without an instance, and for saved panels', () => {
  expect(linkFor('grafana/alerting/instance/action').configure!({})?.title).toBe('Show in inbox');
  const panel = linkFor('grafana/dashboard/panel/menu').configure!;
  expect(panel({ id: 4, dashboard: { uid: 'a' } })?.title).toBe('Panel notifications');
  expect(panel({ id: 4, dashboard: { uid: '' } })).toBeUndefined();
  expect(panel(undefined)).toBeUndefined();
});

it('overrides nothing that Grafana does not let it override', () => {
  for (const { configure } of extensionLinks) {
    const overrides = configure!({ id: 4, dashboard: { uid: 'a' } });
    expect(Object.keys(overrides ?? {}).sort()).toEqual(['description', 'title']);
  }
});
