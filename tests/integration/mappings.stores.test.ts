/** Mappings: JSON of any program becomes notifications. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { AuditPage } from '../../backend-bridge/contract/audit.ts';
import { ADMIN_TOKEN, ask } from './accessBridge.testing.ts';
import { eventually, Folder, type Provisioned, TOKEN } from './provisioning.testing.ts';
import type { Json } from './support.ts';

const PATH = '/api/v1/webhooks/mapped';
const PAGE = readFileSync(path.join(import.meta.dirname, '../../docs/connect-senders.md'), 'utf8');
/** The example of the page. */
const EXAMPLE = /```yaml\n(mappings:[\s\S]*?)```/.exec(PAGE)![1]!;
const { mappings } = parse(EXAMPLE) as { mappings: [{ sample: { job: object } }] };

const fileOf = (text: string): Record<string, string> => ({ 'map.yaml': `apiVersion: 1\n${text}` });
const start = async (text: string): Promise<Provisioned> => (await Folder.make(fileOf(text))).start();
const mapping = (expression: string, more = ''): string =>
  `mappings:\n  - name: m\n    expression: ${JSON.stringify(expression)}\n${more}`;
const post = ({ bridge }: Provisioned, body: unknown, name = 'm') => bridge.request('POST', `${PATH}/${name}`, body);
async function postText({ bridge }: Provisioned, body: string): Promise<number> {
  const headers = { ...bridge.authorization, 'Content-Type': 'application/json' };
  return (await fetch(`${bridge.url}${PATH}/m`, { method: 'POST', body, headers })).status;
}

test('the example of the docs: fires, is stored once if it is sent again, and resolves', async () => {
  const running = await start(EXAMPLE);
  const [{ sample }] = mappings;
  expect(await post(running, sample, 'forge')).toMatchObject({
    status: 200,
    body: { accepted: 1, duplicates: 0, truncated: 0 },
  });
  expect((await post(running, sample, 'forge')).body).toMatchObject({ accepted: 0, duplicates: 1 });
  expect(await running.bridge.list()).toMatchObject([
    {
      title: 'backup failed',
      priority: 'high',
      status: 'triggered',
      correlationId: 'backup',
      callToAction: { title: 'Open', url: 'https://forge.example.org/7' },
      source: 'webhook',
      thread: { state: 'open' },
    },
  ]);
  await post(running, { job: { ...sample.job, state: 'passed', ok: true } }, 'forge');
  expect((await running.bridge.list())[0]).toMatchObject({ title: 'backup passed', thread: { state: 'resolved' } });
});

describe('a list', () => {
  const LIST = mapping('[items.{ "title": name, "priority": level }]');

  test('is several notifications, also with equal threads; sent again, each is a repeat', async () => {
    const running = await start(LIST);
    const body = { items: [{ name: 'a', level: 'high' }, { name: 'b' }, { name: 'c' }] };
    expect((await post(running, body)).body).toMatchObject({ accepted: 3, duplicates: 0 });
    expect((await post(running, body)).body).toMatchObject({ accepted: 0, duplicates: 3 });
    expect(await running.bridge.titles()).toEqual(['c', 'b', 'a']);
  });

  test('is stored whole or not at all; an empty one stores nothing', async () => {
    const running = await start(LIST);
    const { status, body } = await post(running, { items: [{ name: 'a' }, { level: 'high' }] });
    expect([status, body.errors[0]]).toMatchObject([
      400,
      { pointer: '/1/title', detail: expect.stringContaining('The result of the mapping "m" is not a notification') },
    ]);
    expect((await post(running, { items: [] })).body).toMatchObject({ accepted: 0 });
    expect(await running.bridge.list()).toEqual([]);
  });
});

test('one body sent to two mappings is no repeat', async () => {
  const running = await start(
    'mappings:\n  - { name: m, members: { title: \'"first"\' } }\n  - { name: n, members: { title: \'"second"\' } }'
  );
  expect((await post(running, { a: 1 }, 'm')).body).toMatchObject({ accepted: 1 });
  expect((await post(running, { a: 1 }, 'n')).body).toMatchObject({ accepted: 1, duplicates: 0 });
  expect((await post(running, { a: 1 }, 'n')).body).toMatchObject({ accepted: 0, duplicates: 1 });
  expect(await running.bridge.titles()).toEqual(['second', 'first']);
});

test('what is wrong with a body is said, and nothing is stored', async () => {
  const running = await start(mapping('{ "title": $uppercase(title), "body": "x" }'));
  expect(await post(running, { title: 7 })).toMatchObject({
    status: 400,
    body: {
      detail: expect.stringMatching(/^The mapping "m" failed, at character \d+: .*Nothing was stored\.$/),
      errors: [{ pointer: '#', allowed: 'a body that the mapping accepts' }],
    },
  });
  expect(await postText(running, '{"title"')).toBe(400);
  expect(await post(running, {}, 'other')).toMatchObject({
    status: 404,
    body: { detail: 'No provisioning file has a mapping "other".' },
  });
  const none = await start(mapping('items.{ "title": name }'));
  expect(await post(none, { itmes: [] })).toMatchObject({ status: 400, body: { errors: [{ found: 'nothing' }] } });
  expect([...(await running.bridge.list()), ...(await none.bridge.list())]).toEqual([]);
});

test('names of prototypes are ordinary members of bodies and results', async () => {
  const running = await start(mapping('$merge([$, { "title": $string(__proto__.x), "body": constructor.name }])'));
  expect(await postText(running, '{"__proto__":{"x":1,"title":"p"},"constructor":{"name":"c"}}')).toBe(200);
  expect(await running.bridge.list()).toMatchObject([{ title: '1', body: 'c' }]);
  expect(Object.hasOwn(Object.prototype, 'x') || ({} as Json).title).toBeUndefined();
});

describe('while an expression is evaluated that does not end', () => {
  test.each([
    ['by a regular expression', ['sent', 'rejected'], '{ "title": $replace(text, /(a+)+$/, "x") }'],
    [
      'by its memory',
      // It may end at once.
      expect.arrayContaining(['sent', 'rejected']),
      '($d := function($s, $n) { $n = 0 ? $s : $d($s & $s, $n - 1) }; { "title": $d(text, 21) })',
    ],
  ])('%s: sends are stored, its body is rejected, and the next one is not', async (_name, expected, expression) => {
    const running = await start(mapping(`text ? ${expression} : { "title": "good" }`));
    const order: string[] = [];
    const hostile = post(running, { text: `${'a'.repeat(40)}!` }).then((answer) => {
      order.push('rejected');
      return answer;
    });
    await running.bridge.send({ title: 'during' });
    order.push('sent');
    expect(await hostile).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/^The mapping "m" failed.*(takes longer|timeout|memory)/) },
    });
    expect(order).toEqual(expected);
    expect((await post(running, {})).status).toBe(200);
    expect(await running.bridge.titles()).toEqual(['good', 'during']);
  });
});

describe('access', () => {
  test('a token is required as for other webhooks, and limits the package', async () => {
    const senders = `senders: [{ name: backup, packages: [a.eth], token: ${TOKEN} }]`;
    const folder = await Folder.make(fileOf(mapping('{ "title": "t", "dnpName": package }', senders)));
    const { bridge } = await folder.start({}, { auth: 'token', adminToken: ADMIN_TOKEN });
    const send = (body: object, token?: string) =>
      ask(bridge.url, 'POST', `${PATH}/m`, { body, ...(token && { token }) });
    expect((await send({})).status).toBe(403);
    expect((await send({}, 'wrong-token')).status).toBe(403);
    expect((await send({ package: 'b.eth' }, TOKEN)).status).toBe(403);
    expect((await send({}, TOKEN)).status).toBe(200);
  });
});

describe('provisioning', () => {
  test('a change applies, is recorded, and is gone with the file', async () => {
    const folder = await Folder.make(fileOf(mapping('{ "title": "one" }')));
    const running = await folder.start();
    expect((await running.file('map.yaml'))?.mappings).toEqual([{ name: 'm', expression: '{ "title": "one" }' }]);
    await post(running, {});
    await folder.write(fileOf(mapping('{ "title": "two" }')));
    await eventually(async () => {
      expect((await running.file('map.yaml'))?.mappings).toMatchObject([{ expression: '{ "title": "two" }' }]);
    });
    await post(running, { another: 1 });
    expect(await running.bridge.titles()).toEqual(['two', 'one']);
    await running.bridge.restart();
    expect((await post(running, { other: 1 })).status).toBe(200);
    await folder.remove('map.yaml');
    await eventually(async () => expect((await post(running, {})).status).toBe(404));
    const { entries } = await running.bridge.call<AuditPage>('GET', '/api/v1/audit?action=mapping.configure');
    expect(entries.map(({ object, before, after }) => [object, before, after])).toMatchObject([
      ['m', { expression: '{ "title": "two" }' }, undefined],
      ['m', { expression: '{ "title": "one" }' }, { expression: '{ "title": "two" }' }],
      ['m', undefined, { expression: '{ "title": "one" }' }],
    ]);
  });

  test('an error has its line and column, and what was applied before stays', async () => {
    const folder = await Folder.make(fileOf(mapping('{ "title": "one" }')));
    const running = await folder.start();
    await folder.write(
      fileOf(`mappings:
  - name: m
    expression: |
      {
        "title": name,
        "body": $uppercase(
      }
  - name: n
    members:
      title: 'a.b +'
      priority: level
    sample: {}
  - { name: o, members: { title: name }, sample: { nmae: x } }
  - { name: p, expression: name, members: {} }
  - { name: q, members: { titel: name } }
`)
    );
    await eventually(async () => expect(await running.mistakes('map.yaml')).not.toEqual([]));
    expect(await running.mistakes('map.yaml')).toEqual([
      expect.stringMatching(/^map\.yaml:15:\d+ mappings\[3\] must be an object with one of "expression" and "members"/),
      expect.stringMatching(/^map\.yaml:16:27 "titel" is unknown\. Did you mean "title"\?/),
    ]);
    const text = readFileSync(path.join(folder.dir, 'map.yaml'), 'utf8').split('\n').slice(0, 14).join('\n');
    await folder.write({ 'map.yaml': text });
    await eventually(async () => expect(await running.mistakes('map.yaml')).toHaveLength(4));
    expect(await running.mistakes('map.yaml')).toEqual([
      expect.stringMatching(/^map\.yaml:8:7 The expression fails, at character 42: The symbol "}"/),
      expect.stringMatching(/^map\.yaml:11:19 The expression fails in "title", at character 5: /),
      expect.stringMatching(
        /^map\.yaml:14:50 The result of the mapping "o" is not a notification .*"title" must be text/
      ),
      expect.stringMatching(/^map\.yaml:14:50 .*"body" must be text/),
    ]);
    expect((await post(running, {})).body).toMatchObject({ accepted: 1 });
  });
});
