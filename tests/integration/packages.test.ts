/** Registering, updating and removing packages over HTTP. */
import { beforeEach, describe, expect, test } from 'vitest';
import { isoTime } from '../../backend-bridge/contract/text.ts';
import type { PackageDetail } from '../../backend-bridge/contract/package.ts';
import { fromGrafana } from './grafanaPerson.testing.ts';
import { COMPOSE_YAML, GETH, manifest, NOTIFICATIONS_YAML, PACKAGES, register } from './packages.testing.ts';
import { expectProblem, type Json, useBridge } from './support.ts';

const bridge = useBridge();

beforeEach(async () => {
  for (const { dnpName } of await bridge().call<Json[]>('GET', PACKAGES)) {
    await bridge().call('DELETE', `${PACKAGES}/${dnpName}`);
  }
});

const detail = (name = GETH): Promise<PackageDetail> => bridge().call('GET', `${PACKAGES}/${name}`);
const put = (changes: Json, others: Json = {}, headers?: Record<string, string>) =>
  bridge().request('PUT', `${PACKAGES}/${GETH}`, { manifest: manifest(changes), ...others }, headers);

describe('registering', () => {
  test('responds with 201 and Location, and the package is listed by name', async () => {
    const answer = await bridge().request('POST', PACKAGES, { manifest: manifest() });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(answer.headers.get('location')).toBe(`${PACKAGES}/${GETH}`);
    expect(answer.body).toEqual(await detail());
    await register(bridge(), { name: 'a.example.eth' });
    const list = await bridge().call<Json[]>('GET', PACKAGES);
    expect(list.map(({ dnpName }) => dnpName)).toEqual(['a.example.eth', GETH]);
    expect(list[1]).toMatchObject({
      version: '1.0.0',
      type: 'service',
      categories: ['Blockchain'],
      findings: { error: 0, warning: 0, note: 0 },
      missingDependencies: 0,
      origin: { kind: 'api' },
    });
  });

  test('stores the texts of all files unchanged', async () => {
    const text = `${JSON.stringify(manifest())}\n\n`;
    await bridge().call('POST', PACKAGES, { manifest: text, notifications: NOTIFICATIONS_YAML, compose: COMPOSE_YAML });
    const shown = await detail();
    const files = await bridge().call('GET', `/api/v1/package-files/${GETH}`);
    expect(files).toEqual({ manifest: text, notifications: NOTIFICATIONS_YAML, compose: COMPOSE_YAML });
    expect(shown).toMatchObject({ endpoints: 2, facts: { services: ['geth', 'proxy'] } });
    // DAppNode assigns the root domain to none of several services.
    expect(shown.facts.mainService).toBeUndefined();
    expect(shown.notifications).toEqual([
      {
        correlationId: 'geth-peers',
        kind: 'monitored',
        title: 'Few peers',
        description: 'The node has few peers.',
        category: 'ethereum',
        condition: '[BODY].result >= 10',
        threshold: 10,
        metric: { min: 0, max: 50, unit: 'peers' },
        priority: 'medium',
        isBanner: false,
        enabled: true,
      },
      {
        correlationId: 'geth-proposal',
        kind: 'custom',
        title: 'A block was proposed',
        description: 'The validator proposed a block.',
        threshold: 3,
        metric: { min: 0, max: 10, unit: 'blocks' },
        isBanner: false,
        enabled: true,
      },
    ]);
  });

  test('a registered package is a 409 that refers to PUT', async () => {
    await register(bridge());
    const problem = expectProblem(await bridge().request('POST', PACKAGES, { manifest: manifest() }), 409);
    expect(problem.detail).toContain(`PUT ${PACKAGES}/${GETH}`);
  });

  test('is rejected with one error per finding, with a pointer for an object', async () => {
    const bad = manifest({ version: 'one', type: 'program', license: '' });
    const problem = expectProblem(await bridge().request('POST', PACKAGES, { manifest: bad }), 400);
    expect(problem.errors.map(({ pointer }) => pointer).sort()).toEqual(
      expect.arrayContaining(['/manifest/license', '/manifest/type', '/manifest/version'])
    );
    expect(await bridge().call('GET', PACKAGES)).toEqual([]);
  });

  test('is rejected with line and column for a text', async () => {
    const text = JSON.stringify(manifest({ version: 'one' }), null, 2);
    const problem = expectProblem(await bridge().request('POST', PACKAGES, { manifest: text }), 400);
    expect(problem.errors[0]).toMatchObject({
      pointer: '/manifest',
      detail: expect.stringMatching(/^manifest, line 3, column \d+: /),
    });
  });

  test.each<[string, Json]>([
    ['nothing', {}],
    ['a list', { manifest: [] }],
    ['an unknown member', { manifest: {}, extra: 1 }],
    ['an unknown dialect', { manifest: {}, dialect: 'klingon' }],
    ['text with NUL', { manifest: '{"name":"\u0000"}' }],
    ['no JSON', { manifest: '{' }],
    ['an empty text', { manifest: '' }],
  ])('%s is a 400', async (_what, body) => {
    expectProblem(await bridge().request('POST', PACKAGES, body), 400);
  });

  test('unlimited nesting is rejected, in the manifest as an object and as a string', async () => {
    const deep = (n: number): Json => JSON.parse('{"a":'.repeat(n) + '1' + '}'.repeat(n));
    expectProblem(await bridge().request('POST', PACKAGES, { manifest: manifest({ x: deep(1000) }) }), 400);
    const text = `{"name":"x.eth","a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    expectProblem(await bridge().request('POST', PACKAGES, { manifest: text }), 400);
  });

  test('more than 4 MiB is a 413', async () => {
    expectProblem(await bridge().request('POST', PACKAGES, { manifest: 'x'.repeat(4 * 1024 * 1024) }), 413);
  });
});

describe('the user', () => {
  test('is the one from Grafana, in the record and in the history', async () => {
    await bridge().request('POST', PACKAGES, { manifest: manifest() }, fromGrafana('ada'));
    bridge().clock.advance(1000);
    const answer = await put({ version: '1.1.0' }, {}, fromGrafana('bob'));
    const { now } = bridge().clock;
    expect(answer.body).toMatchObject({
      registeredAt: isoTime(now - 1000),
      registeredBy: 'ada',
      updatedAt: isoTime(now),
    });
    expect((answer.body as PackageDetail).history.slice(0, 2)).toEqual([
      { at: isoTime(now), action: 'updated', version: '1.1.0', from: '1.0.0', by: 'bob' },
      { at: isoTime(now - 1000), action: 'registered', version: '1.0.0', by: 'ada' },
    ]);
  });
  test('is omitted if unknown', async () => {
    expect(await register(bridge())).not.toHaveProperty('registeredBy');
    expect((await detail()).history[0]).not.toHaveProperty('by');
  });
});

describe('updating', () => {
  test('to a higher version succeeds', async () => {
    await register(bridge());
    expect((await put({ version: '1.0.1' })).body).toMatchObject({ version: '1.0.1' });
    expect(await detail()).toMatchObject({ version: '1.0.1' });
  });
  test('an unregistered package is a 404', async () => {
    expectProblem(await put({}), 404);
  });
  test('with the manifest of another package is a 400', async () => {
    await register(bridge());
    const problem = expectProblem(await put({ name: 'other.example.eth' }), 400);
    expect(problem.errors).toMatchObject([
      { pointer: '/manifest', found: '"other.example.eth"', allowed: `"${GETH}"` },
    ]);
  });
  test('to a lower version requires a flag', async () => {
    await register(bridge(), { version: '2.0.0' });
    const problem = expectProblem(await put({ version: '1.9.0' }), 409);
    expect(problem.errors).toMatchObject([{ pointer: '/allowDowngrade', found: '1.9.0, older than 2.0.0' }]);
    expect((await put({ version: '1.9.0' }, { allowDowngrade: true })).body).toMatchObject({ version: '1.9.0' });
  });
  test('to other contents of the same version requires a flag', async () => {
    await register(bridge());
    const problem = expectProblem(await put({ license: 'MIT' }), 409);
    expect(problem.errors).toMatchObject([{ pointer: '/allowDowngrade', found: '1.0.0 with other content' }]);
    expect((await put({ license: 'MIT' }, { allowDowngrade: true })).body).toMatchObject({ facts: { license: 'MIT' } });
  });
  test('another notifications file is other contents', async () => {
    await register(bridge());
    expectProblem(await put({}, { notifications: NOTIFICATIONS_YAML }), 409);
  });
  test('to the same contents changes nothing', async () => {
    await register(bridge());
    const before = await detail();
    bridge().clock.advance(1000);
    const answer = await put({});
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(before);
  });
  test('twice at the same time: one of them is rejected', async () => {
    await register(bridge());
    const answers = await Promise.all(['1.1.0', '1.2.0', '1.3.0'].map((version) => put({ version })));
    const { version, history } = await detail();
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(version).toBe('1.3.0');
    // Each accepted change is in the history, with the version before it.
    const updates = history.slice(0, answers.filter(({ status }) => status === 200).length);
    expect(updates[0]).toMatchObject({ version: '1.3.0' });
    updates.slice(0, -1).forEach((one, index) => expect(one.from).toBe(updates[index + 1]?.version));
  });
});

describe('removing', () => {
  test('is a 204, and the history remains', async () => {
    await register(bridge());
    expect(await bridge().request('DELETE', `${PACKAGES}/${GETH}`)).toMatchObject({ status: 204, body: '' });
    expectProblem(await bridge().request('GET', `${PACKAGES}/${GETH}`), 404);
    expectProblem(await bridge().request('DELETE', `${PACKAGES}/${GETH}`), 404);
    bridge().clock.advance(1000);
    await register(bridge(), { version: '3.0.0' });
    expect((await detail()).history.slice(0, 3)).toMatchObject([
      { action: 'registered', version: '3.0.0' },
      { action: 'removed', version: '1.0.0' },
      { action: 'registered', version: '1.0.0' },
    ]);
  });
});

describe('a disclaimer', () => {
  const disclaimer = { message: 'You may lose **money**.' };
  const refused = async (changes: Json, others: Json = {}) =>
    expectProblem(await put({ disclaimer, ...changes }, others), 409).errors;

  test('must be accepted; who accepted which text is stored', async () => {
    const body = { manifest: manifest({ disclaimer }) };
    const problem = expectProblem(await bridge().request('POST', PACKAGES, body), 409);
    expect(problem.errors).toMatchObject([{ pointer: '/disclaimerAccepted', allowed: 'true' }]);
    const no = { ...body, disclaimerAccepted: false };
    expectProblem(await bridge().request('POST', PACKAGES, no), 409);
    const yes = { ...body, disclaimerAccepted: true };
    const answer = await bridge().request('POST', PACKAGES, yes, fromGrafana('ada'));
    expect(answer.body.approval).toEqual({
      text: disclaimer.message,
      by: 'ada',
      at: bridge().clock.iso,
      version: '1.0.0',
    });
  });

  test('is not required again for an update with the same text, but for another text', async () => {
    await register(bridge(), { disclaimer }, { disclaimerAccepted: true });
    expect((await put({ disclaimer, version: '1.0.1' })).status).toBe(200);
    const other = { message: `${disclaimer.message} ` };
    expect(await refused({ version: '1.0.2', disclaimer: other })).toMatchObject([{ pointer: '/disclaimerAccepted' }]);
    expect((await put({ version: '1.0.2', disclaimer: other }, { disclaimerAccepted: true })).status).toBe(200);
    expect((await put({ version: '1.0.3', disclaimer })).status).toBe(200);
    expect(await detail()).toMatchObject({ approval: { text: other.message, version: '1.0.2' } });
  });

  test('is required again after removal', async () => {
    await register(bridge(), { disclaimer }, { disclaimerAccepted: true });
    await bridge().call('DELETE', `${PACKAGES}/${GETH}`);
    bridge().clock.advance(1);
    const body = { manifest: manifest({ disclaimer }) };
    expectProblem(await bridge().request('POST', PACKAGES, body), 409);
  });

  test('of another package has no effect', async () => {
    await register(bridge(), { name: 'other.example.eth', disclaimer }, { disclaimerAccepted: true });
    await register(bridge());
    expect(await refused({ version: '1.1.0' })).toMatchObject([{ pointer: '/disclaimerAccepted' }]);
  });
});

describe('after a restart', () => {
  test('everything is still stored', async () => {
    await register(bridge(), { disclaimer: { message: 'D' } }, { disclaimerAccepted: true });
    const [list, one] = [await bridge().call('GET', PACKAGES), await detail()];
    await bridge().restart();
    expect(await bridge().call('GET', PACKAGES)).toEqual(list);
    expect(await detail()).toEqual(one);
  });
});
