import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLE_RULES } from './exampleRules.ts';
import { answerRules, type RuleStore, seedRules, type SeededRule } from './grafanaRules.ts';

interface Recording {
  request: string;
  status: number;
  body: unknown;
}

const recorded = (name: string): Recording =>
  JSON.parse(
    readFileSync(new URL(`../../tests/fixtures/grafana-rules/${name}.json`, import.meta.url), 'utf8')
  ) as Recording;

/** The names and types of members; of lists, the shapes of their elements. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(shapeOf);
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, member]) => [name, shapeOf(member)])
      )
    : typeof value;
}

/** The recorded rule, whose data source has no members of its own here. */
const HIGH: SeededRule = {
  uid: 'mem-high',
  title: 'Memory high',
  folder: 'Nodes',
  group: 'memory',
  params: [80],
  recovery: { type: 'lt', params: [70] },
};

const withoutCsv = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, member: unknown) => (key === 'csvContent' ? undefined : member)) as unknown;

describe('the stand-in for the rules of Grafana', () => {
  const store: RuleStore = new Map();
  const server = http.createServer((request, response) => {
    void answerRules(request, response, (request.url ?? '').split('?')[0] ?? '', store);
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => server.close());

  async function call(request: string, body?: unknown, role = 'Editor') {
    const [method = '', path = ''] = request.split(' ');
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
      method,
      headers: { Cookie: `nodebell_role=${role}`, 'X-Disable-Provenance': 'true' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as unknown };
  }

  it.each(['rule', 'provisioned', 'missing'])('responds as recorded: %s', async (name) => {
    seedRules(store, [HIGH]);
    const { request, status, body } = recorded(name);
    const response = await call(request);
    expect(response.status).toBe(status);
    expect(shapeOf(response.body)).toEqual(shapeOf(withoutCsv(body)));
  });

  it('saves a value as recorded, and keeps the version before', async () => {
    seedRules(store, [HIGH]);
    const moved = recorded('put').body;
    const { request, status } = recorded('put');
    const response = await call(request, moved);
    expect(response.status).toBe(status);
    expect(shapeOf(response.body)).toEqual(shapeOf(withoutCsv(moved)));
    for (const name of ['ruleAfter', 'versions']) {
      const after = recorded(name);
      const now = await call(after.request);
      expect(shapeOf(now.body)).toEqual(shapeOf(withoutMessage(withoutCsv(after.body))));
    }
    expect(latest(await call(recorded('ruleAfter').request))).toEqual(latest(recorded('ruleAfter')));
  });

  it('rejects what the recorded Grafana rejects', async () => {
    seedRules(store, [HIGH, { ...HIGH, uid: 'disk-full', provenance: 'file' }]);
    for (const [name, role] of [
      ['putByViewer', 'Viewer'],
      ['putOfFile', 'Admin'],
    ] as const) {
      const { request, status, body } = recorded(name);
      const response = await call(request, recorded('put').body, role);
      expect(response.status).toBe(status);
      expect(shapeOf(response.body)).toEqual(shapeOf(body));
    }
  });

  it('lists folders, groups and rules', async () => {
    seedRules(store, [HIGH]);
    const { request, body } = recorded('list');
    const { Nodes } = body as Record<string, Array<{ rules: unknown[] }>>;
    const [group] = Nodes ?? [];
    expect(shapeOf((await call(request)).body)).toEqual(
      shapeOf(withoutCsv({ Nodes: [{ ...group, rules: group?.rules.slice(0, 1) }] }))
    );
  });

  it('has the values of a week in the recorded form', async () => {
    seedRules(store, [
      { ...HIGH, uid: 'other', values: [4, 5] },
      { ...HIGH, values: [1, 2, 3] },
    ]);
    const { request, body } = recorded('week');
    const response = await call(request, {
      from: '0',
      to: '3000',
      queries: [{ datasource: { uid: 'testdata-mem-high' } }],
    });
    const short = (value: unknown) =>
      shapeOf(
        JSON.parse(JSON.stringify(value), (key, member: unknown) =>
          key === 'labels'
            ? {}
            : key === 'values' && Array.isArray(member)
              ? member.map((one: unknown[]) => one.slice(0, 1))
              : member
        )
      );
    expect(short(response.body)).toEqual(short(body));
    expect(JSON.stringify(response.body)).toContain('[1,2,3]');
  });
});

it('each example rule has a threshold that its values of the week cross, and do not always', () => {
  const crossings = EXAMPLE_RULES.map(({ uid, operator = 'gt', params: [first = 0, second = 0], values = [] }) => {
    const fires = (value: number) =>
      operator === 'gt' ? value > first : operator === 'lt' ? value < first : value < first || value > second;
    return [uid, values.filter(fires).length / values.length] as const;
  });
  expect(crossings.filter(([, share]) => share === 0 || share > 0.5)).toEqual([]);
});

const withoutMessage = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, member: unknown) => (key === 'message' ? undefined : member)) as unknown;

const latest = ({ body }: Pick<Recording, 'body'>) => {
  const { version, data } = (body as { grafana_alert: { version: number; data: Array<{ model: unknown }> } })
    .grafana_alert;
  return { version, model: data[2]?.model };
};
