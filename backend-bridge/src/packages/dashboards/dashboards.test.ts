import { describe, expect, test } from 'vitest';
import { dashboardCards, dashboardsOf } from './dashboards.ts';
import { MANIFEST, registered } from './dashboards.testing.ts';
import { UID } from './uid.ts';

interface Panel {
  id: number;
  type: string;
  title: string;
  options: Record<string, unknown>;
  gridPos: { x: number; y: number; w: number; h: number };
}
interface Model {
  uid: string;
  title: string;
  tags: string[];
  links: { title: string; url: string; targetBlank: boolean; placement?: string }[];
  panels: Panel[];
}
const generated = (manifest: object = MANIFEST): Model =>
  dashboardsOf(registered(manifest))[0]!.dashboard as unknown as Model;
const panel = (type: string, manifest?: object): Panel | undefined =>
  generated(manifest).panels.find((one) => one.type === type);

describe('the generated dashboard', () => {
  test('has the package’s links, itself first, in the bar and not in a menu', () => {
    const { links } = generated();
    expect(links.map(({ title, url }) => `${title} ${url}`)).toEqual([
      'Package /a/nodebell-notifications-app/packages/geth.example.eth',
      'Homepage https://geth.example.org/',
      'UI http://geth.example/',
      'Report an issue https://bugs.example.org/',
      'Block explorer https://explorer.example.org/',
    ]);
    expect(links.every((link) => !('placement' in link))).toBe(true);
    expect(links.slice(1).every(({ targetBlank }) => targetBlank)).toBe(true);
  });

  test('has the chain, the notifications and the links of this package alone', () => {
    expect(panel('nodebell-chainsync-panel')?.options).toEqual({ packages: ['geth.example.eth'] });
    expect(panel('nodebell-inbox-panel')?.options).toEqual({ dnpName: ['geth.example.eth'] });
    expect(panel('nodebell-packages-panel')?.options).toEqual({ packages: ['geth.example.eth'] });
  });

  test('has a panel of sliders if an endpoint has a metric', () => {
    const entry = { name: 'a', correlationId: 'a', description: 'a', enabled: true, isBanner: false };
    const notifications = (metric?: object) => ({ customEndpoints: [{ ...entry, metric }] });
    const sliders = { ...MANIFEST, notifications: notifications({ min: 0, max: 9, unit: '%', treshold: 5 }) };
    expect(panel('nodebell-thresholds-panel', sliders)?.options).toEqual({
      packages: ['geth.example.eth'],
      onlySliders: true,
    });
    expect(panel('nodebell-thresholds-panel', { ...MANIFEST, notifications: notifications() })).toBeUndefined();
  });

  test('shows links that a browser cannot open as text', () => {
    const links = { ws: 'ws://geth.example:8546', mail: 'mailto:geth@example.org' };
    const { content } = panel('text', { ...MANIFEST, links })!.options;
    expect(String(content).replaceAll('\\', '')).toContain('- mail: mailto:geth@example.org\n');
    expect(String(content).replaceAll('\\', '')).toContain('- ws: ws://geth.example:8546\n');
  });

  test('has no panel for what the package has not', () => {
    const { chain: _chain, exposable: _exposable, shortDescription: _short, ...plain } = MANIFEST;
    expect(generated(plain).panels.map(({ type }) => type)).toEqual([
      'text',
      'nodebell-packages-panel',
      'nodebell-inbox-panel',
    ]);
  });

  test('lists what may be put on the internet', () => {
    const services = generated().panels.find(({ title }) => title === 'Exposable services');
    expect(services?.options.content).toContain('| RPC | 8545 | geth | JSON RPC |');
  });

  test('lays its panels side by side without overlaps, within 24 columns', () => {
    for (const manifest of [MANIFEST, { ...MANIFEST, chain: undefined }]) {
      const { panels } = generated(manifest);
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
      const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`)
      );
      expect(new Set(cells).size).toBe(cells.length);
      expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
    }
  });

  test('is the same, byte for byte, for the same manifest', () => {
    expect(JSON.stringify(generated())).toBe(JSON.stringify(generated(structuredClone(MANIFEST))));
  });
});

describe('uids', () => {
  test.each(['a.eth', 'a.very-long-name-of-a-package-that-goes-on-and-on.public.dappnode.eth', 'ü.eth', '日本.eth'])(
    '%s',
    (name) => {
      const { uid } = generated({ ...MANIFEST, name });
      expect(uid).toMatch(UID);
      expect(uid).toBe(generated({ ...MANIFEST, name, version: '9.9.9' }).uid);
    }
  );
  test('names with the same letters have uids of their own', () => {
    expect(generated({ ...MANIFEST, name: 'a-b.c.eth' }).uid).not.toBe(
      generated({ ...MANIFEST, name: 'a.b-c.eth' }).uid
    );
  });
});

describe('texts of others', () => {
  const hostile = {
    ...MANIFEST,
    shortDescription:
      'See **[this](https://evil.example)** <img src=x> $__user ${__user.login} [[x]] | https://evil.example\n# big',
    links: {
      'Docs ${__user.login} [[x]]': 'https://evil.example/?who=${__user.email}&t=[[token]]&$x',
      six: 'http://[::1]:8545/',
      bad: 'javascript:alert(1)',
      path: '/admin',
    },
    exposable: [{ name: 'a|b', port: 1, description: '<b>$x</b>\n| c |' }],
  };
  const all = generated(hostile);
  test('are not read as Markdown, HTML or variables', () => {
    const texts = all.panels.flatMap(({ options }) => (typeof options.content === 'string' ? options.content : []));
    expect(texts).toHaveLength(2);
    expect(texts[0]!.split('\n')[0]).toBe(
      'See \\*\\*\\[this\\]\\(https\\:\\/\\/evil\\.example\\)\\*\\* \\<img src\\=x\\> &#36;\\_\\_user &#36;\\{\\_\\_user\\.login\\} \\[\\[x\\]\\] \\| https\\:\\/\\/evil\\.example \\# big'
    );
    expect(texts[1]).toContain('| a\\|b | 1 |  | \\<b\\>&#36;x\\<\\/b\\> \\| c \\| |');
  });
  test('lead nowhere but to the web, and take nothing of the viewer with them', () => {
    const links = all.links.filter(({ url }) => !url.startsWith('/a/') && !url.includes('bugs.'));
    expect(links.map(({ title, url }) => [title, url])).toEqual([
      ['Docs ＄{__user.login} [ [x]]', 'https://evil.example/?who=%24{__user.email}&t=%5B%5Btoken%5D%5D&%24x'],
      ['six', 'http://[::1]:8545/'],
    ]);
    expect(JSON.stringify(all)).not.toMatch(/\$|\[\[\w/);
  });
});

describe('what the package ships', () => {
  const file = (model: unknown, path = 'x-grafana-dashboard.json') => ({
    path,
    text: typeof model === 'string' ? model : JSON.stringify(model),
  });
  const read = (model: unknown) => dashboardsOf(registered(MANIFEST, [file(model)]))[1]!;
  const model = { title: 'Host', panels: [], schemaVersion: 30 };

  test('keeps its uid and loses what belongs to where it came from', () => {
    expect(read({ ...model, id: 11, version: 4, uid: 'host', tags: ['a'], __requires: [] })).toEqual({
      title: 'Host',
      uid: 'host',
      origin: 'package',
      file: 'x-grafana-dashboard.json',
      dashboard: { title: 'Host', panels: [], schemaVersion: 30, uid: 'host', tags: ['a', 'nodebell'] },
    });
  });
  test.each([undefined, null, '', 'with space', 'x'.repeat(41), 7])('with the uid %j gets one that stays', (uid) => {
    const one = read({ ...model, uid });
    expect(one.uid).toMatch(/^nodebell-[\w-]+$/);
    expect(one.uid).toMatch(UID);
    expect(one.dashboard?.uid).toBe(one.uid);
    expect(read({ ...model, title: 'Other', uid }).uid).toBe(one.uid);
  });
  test('data sources and constants of an import (`__inputs`) become variables', () => {
    const one = read({
      ...model,
      __inputs: [
        { name: 'DS_PROM', label: 'Prometheus', type: 'datasource', pluginId: 'prometheus' },
        { name: 'VAR_JOB', type: 'constant', value: 'node' },
        { name: 'known', type: 'constant', value: 'x' },
        { name: 'no good', type: 'datasource', pluginId: 'x' },
      ],
      panels: [{ datasource: '${DS_PROM}' }],
      templating: { list: [{ name: 'known', type: 'query' }] },
    }).dashboard as { templating: { list: object[] }; panels: object[] };
    expect(one).not.toHaveProperty('__inputs');
    expect(one.templating.list).toMatchObject([
      { name: 'DS_PROM', type: 'datasource', query: 'prometheus', label: 'Prometheus' },
      { name: 'VAR_JOB', type: 'constant', query: 'node', hide: 2 },
      { name: 'known', type: 'query' },
    ]);
    expect(one.panels).toEqual([{ datasource: '${DS_PROM}' }]);
  });
  test('as Grafana’s API returns it, or with rows of older versions, is read too', () => {
    expect(read({ meta: {}, dashboard: model })).toMatchObject({ title: 'Host' });
    expect(read({ title: 'Old', rows: [] })).toMatchObject({ title: 'Old' });
  });
  test.each([
    ['{', /no JSON/],
    ['[]', /must be an object/],
    [{ panels: [] }, /no title/],
    [{ title: ' ', panels: [] }, /no title/],
    [{ title: 'x' }, /no list of panels/],
    [{ apiVersion: 'dashboard.grafana.app/v2', spec: { title: 'x', elements: {} } }, /schema v2/],
    [{ title: 'x', elements: {} }, /schema v2/],
  ])('%j is told to be none, and is not among the cards', (text, problem) => {
    const one = dashboardsOf(registered(MANIFEST, [file(text)]))[1]!;
    expect(one).toEqual({
      title: 'x-grafana-dashboard.json',
      uid: '',
      origin: 'package',
      file: 'x-grafana-dashboard.json',
      problem: expect.stringMatching(problem) as string,
    });
    expect(dashboardCards(registered(MANIFEST, [file(text)]))).toHaveLength(1);
  });
  test('and what it only names by a uid is linked, once', () => {
    const manifest = {
      ...MANIFEST,
      grafanaDashboards: [{ uid: 'host' }, { uid: 'far' }, { uid: 'far' }, { uid: '../x' }, null],
    };
    const cards = dashboardCards(registered(manifest, [file({ ...model, uid: 'host' })]));
    expect(cards.slice(1)).toEqual([
      { title: 'Host', uid: 'host', origin: 'package' },
      { title: 'far', uid: 'far', origin: 'package' },
    ]);
    const dashboard = dashboardsOf(registered(manifest, [file({ ...model, uid: 'host' })]))[0]!.dashboard as unknown;
    expect((dashboard as Model).links.map(({ url }) => url)).toEqual(expect.arrayContaining(['/d/host', '/d/far']));
  });
});

test('a manifest that cannot be read has no dashboard', () => {
  expect(dashboardsOf(registered([]))).toEqual([]);
});
