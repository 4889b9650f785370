import type { PluginExtensionAddedLinkConfig } from '@grafana/data';
import { beforeEach, expect, it, vi } from 'vitest';
import pluginJson from '../../plugin.json' with { type: 'json' };
import { THREAD_ACTIONS } from '../extensionApi';
import { exposedComponents, extensionComponents } from './components';
import { extensionLinks } from './links';
import { clockTime, rememberUnread } from '../components/unread';

const kept = vi.hoisted(() => new Map<string, string>());
const pushed = vi.hoisted((): string[] => []);
const shown = vi.hoisted((): unknown[] => []);
const permissions = vi.hoisted(() => new Set<string>());
vi.mock('@grafana/data', () => ({
  AppEvents: { alertError: { name: 'alert-error' } },
  getTimeZone: () => 'utc',
  store: { get: (key: string) => kept.get(key), set: (key: string, value: string) => kept.set(key, value) },
}));
vi.mock('@grafana/ui', () => ({ ErrorBoundaryAlert: 'div' }));
vi.mock('@grafana/runtime', () => ({
  config: { appSubUrl: '/grafana', bootData: { user: { orgId: 1, id: 2 } } },
  getAppEvents: () => ({ publish: (event: unknown) => shown.push(event) }),
  hasPermission: (action: string) => permissions.has(action),
  locationService: { push: (path: string) => pushed.push(path) },
}));

const HOUR = 3600 * 1000;
const linkFor = (target: string): PluginExtensionAddedLinkConfig =>
  extensionLinks.find(({ targets }) => targets.includes(target))!;

const PALETTE = 'grafana/commandpalette/action';
/** Selects a link on one of Grafana's pages. */
const click = (link: PluginExtensionAddedLinkConfig, context?: object, openModal = vi.fn()) =>
  link.onClick?.(undefined, { context, openModal } as unknown as Parameters<NonNullable<typeof link.onClick>>[1]);

beforeEach(() => {
  kept.clear();
  pushed.length = 0;
  shown.length = 0;
  permissions.clear();
});

const declared = ({ title, description, targets }: { title: string; description?: string; targets: unknown }) => ({
  title,
  description,
  targets,
});

it('registers exactly what plugin.json declares, which Grafana compares', () => {
  expect(extensionLinks.map(declared)).toEqual(pluginJson.extensions.addedLinks);
  expect(extensionComponents.map(declared)).toEqual(pluginJson.extensions.addedComponents);
  expect(exposedComponents.map(({ component: _, ...meta }) => meta)).toEqual(pluginJson.extensions.exposedComponents);
  expect(pluginJson.extensions.extensionPoints.map(({ id }) => id)).toEqual([THREAD_ACTIONS]);
});

it('leads to a page of the app or opens something', () => {
  for (const { path, onClick } of extensionLinks) {
    expect(path ?? onClick).toBeDefined();
    expect(path ?? `/a/${pluginJson.id}/`).toMatch(`/a/${pluginJson.id}/`);
  }
});

it('opens the page of each entry of the palette, where Grafana runs onClick and prevents the link', () => {
  const entries = extensionLinks.filter(({ targets }) => targets.includes(PALETTE));
  expect(entries).toHaveLength(8);
  for (const entry of entries) {
    const openModal = vi.fn();
    pushed.length = 0;
    click(entry, {}, openModal);
    // The location service adds the sub-path.
    expect(pushed).toEqual(entry.path ? [entry.path] : []);
    expect(openModal).toHaveBeenCalledTimes(entry.path ? 0 : 1);
  }
  expect(shown).toEqual([]);
});

it.each<[string, string[], string | undefined]>([
  ['an Admin', ['push:own', 'bridge:admin'], 'Where notifications go besides the inbox'],
  ['everybody else', ['push:own'], 'Your devices and quiet hours'],
  ['a user without permission for the page', [], undefined],
])('the entry of Channels, for %s', (_, actions, description) => {
  actions.forEach((action) => permissions.add(`${pluginJson.id}.${action}`));
  const entry = extensionLinks.find(({ title }) => title === 'Nodebell: Channels')!;
  expect(entry.configure!({})?.description).toBe(description);
});

it('follows the path alone where Grafana shows a link, which must not navigate twice', () => {
  for (const { targets, path, onClick } of extensionLinks.filter((link) => !link.targets.includes(PALETTE))) {
    expect([targets, path === undefined]).toEqual([targets, onClick !== undefined]);
  }
});

it.each([
  ['grafana/alerting/instance/action', {}, 'Grafana did not pass any labels of this alert.'],
  ['grafana/dashboard/panel/menu', { id: 4, dashboard: { uid: '' } }, 'Save the dashboard first.'],
])('shows an error when a click at %s cannot be handled', (target, context, message) => {
  click(linkFor(target), context);
  const thrown = {
    get instance() {
      throw new Error('not readable');
    },
    get id() {
      throw new Error('not readable');
    },
  };
  click(linkFor(target), thrown);
  expect(shown).toEqual(
    [message, 'not readable'].map((text) => ({ type: 'alert-error', payload: ['Nodebell could not open this', text] }))
  );
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
  [PALETTE, 'Nodebell: Inbox', (time: string) => `Nodebell: Inbox: 1,200 unread at ${time}`],
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
  permissions.add(`${pluginJson.id}.push:own`);
  for (const { configure } of extensionLinks) {
    const overrides = configure!({ id: 4, dashboard: { uid: 'a' } });
    expect(Object.keys(overrides ?? {}).sort()).toEqual(['description', 'title']);
  }
});
