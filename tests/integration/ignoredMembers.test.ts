/** A notification is stored whatever is wrong with it, as long as its title or body has text; what was changed is listed. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../backend-bridge/contract/limits.ts';
import {
  notificationDetailSchema,
  notificationSchema,
  PAYLOAD_MEMBERS,
  sentNotificationSchema,
  SET_BY_BRIDGE,
} from '../../backend-bridge/contract/notification.ts';
import { expectProblem, NOTIFICATIONS, type Payload, useBridge } from './support.ts';

const bridge = useBridge();
beforeEach(() => bridge().clear());

const WRONG = {
  priority: 'urgent',
  status: 'firing',
  isBanner: 'perhaps',
  category: 7,
  dnpName: {},
  errors: ['a'],
  icon: 'javascript:alert(1)',
  callToAction: { title: 'Go', url: 'mailto:x' },
};
const POINTERS = Object.keys(WRONG).map((name) => (name === 'callToAction' ? '/callToAction/url' : `/${name}`));

describe('wrong members of a notification', () => {
  it('are replaced by defaults or left out, and listed in the response and in the details', async () => {
    const sent = await bridge().post(WRONG);
    expect([sent.status, sent.headers.get('location')]).toEqual([201, `${NOTIFICATIONS}/${sent.body.id}`]);
    expect(sent.body).toMatchObject({
      title: 'A title',
      body: 'A body.',
      priority: 'low',
      status: 'triggered',
      isBanner: false,
      category: 'other',
      dnpName: 'unknown',
      thread: { state: 'event' },
    });
    expect(Object.keys(sent.body)).not.toEqual(expect.arrayContaining(['icon']));
    expect(sent.body).not.toHaveProperty('callToAction');
    expect(sent.body).not.toHaveProperty('errors');
    const { ignored, ...notification } = sentNotificationSchema.parse(sent.body);
    expect(ignored?.map(({ pointer }) => pointer).sort()).toEqual(POINTERS.toSorted());
    expect(ignored).toContainEqual({
      pointer: '/icon',
      reason: 'Must be an http: or https: address, or a path that begins with /. Left out.',
    });
    const detail = await bridge().get(sent.body.id);
    expect(detail.ignored).toEqual(ignored);
    expect([await bridge().list(), detail.members]).toEqual([[notification], [notification]]);
  });

  it('are listed again after a restart, and for a retry', async () => {
    const header = { 'Idempotency-Key': 'retry' };
    const first = await bridge().post(WRONG, header);
    await bridge().restart();
    const again = await bridge().post(WRONG, header);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await bridge().get(first.body.id)).ignored).toEqual(first.body.ignored);
    expectProblem(await bridge().post({ ...WRONG, priority: 'asap' }, header), 409);
  });

  it.each(Object.entries(WRONG))('are rejected with strict=true: %s', async (member, wrong) => {
    const strict = await bridge().request('POST', `${NOTIFICATIONS}?strict=true`, {
      title: 'T',
      body: 'B',
      [member]: wrong,
    });
    expect(expectProblem(strict, 400).errors).toMatchObject([{ pointer: expect.stringContaining(`/${member}`) }]);
    expect(await bridge().list('errors=all')).toEqual([]);
    expect(
      (await bridge().request('POST', `${NOTIFICATIONS}?strict=false`, { title: 'T', body: 'B', [member]: wrong }))
        .status
    ).toBe(201);
  });

  it.each(['', '1', 'yes'])('strict is true or false: %j', async (strict) => {
    const answer = await bridge().request('POST', `${NOTIFICATIONS}?strict=${strict}`, { title: 'T', body: 'B' });
    expect(expectProblem(answer, 400).errors).toMatchObject([{ pointer: '?strict', allowed: 'true or false' }]);
  });

  it('do not hide that neither title nor body has text', async () => {
    for (const payload of [
      { ...WRONG, title: 7, body: '' },
      { title: '', body: ' ' },
      { title: null, body: [] },
    ]) {
      const { errors } = expectProblem(await bridge().post(payload), 400);
      expect(errors.map(({ pointer }) => pointer)).toContain('/title');
    }
    expect(await bridge().list('errors=all')).toEqual([]);
  });

  it.each([33, 50_000])('what is nested too deep is left out: %i levels', async (depth) => {
    const body = `{"title":"T","body":"B","x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const send = () =>
      fetch(bridge().url + NOTIFICATIONS, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': `deep-${depth}` },
        body,
      });
    const first = await send();
    expect([first.status, await first.json()]).toMatchObject([
      201,
      { ignored: [{ pointer: `/x${'/0'.repeat(31)}`, reason: 'nested deeper than 32 levels; left out' }] },
    ]);
    expect((await send()).status).toBe(200);
  });

  it('nobody but the bridge can set what is listed', async () => {
    const forged = { ignored: [{ pointer: '/x', reason: 'forged' }] };
    const { id } = await bridge().send(forged);
    await bridge().call('POST', '/api/v1/webhooks/gatus', { title: 'From Gatus', body: 'B', ...forged });
    const [newest] = await bridge().list('limit=1');
    expect(newest?.title).toBe('From Gatus');
    for (const one of [id, newest!.id]) {
      expect(await bridge().get(one)).not.toHaveProperty('ignored');
    }
  });

  it('long names are shortened consistently, so that a resolve finds its thread', async () => {
    const long = {
      correlationId: 'i'.repeat(LIMITS.nameBytes.value + 1),
      dnpName: 'p'.repeat(LIMITS.nameBytes.value + 1),
    };
    await bridge().send({ ...long, status: 'triggered' });
    const other = await bridge().send({ ...long, correlationId: `${long.correlationId}j`, status: 'triggered' });
    const { thread, dnpName } = await bridge().send({ ...long, status: 'resolved' });
    expect([thread, other.thread]).toMatchObject([
      { state: 'resolved', count: 2 },
      { state: 'open', count: 1 },
    ]);
    expect(dnpName).toMatch(/^p+…[0-9a-f]{16}$/);
  });

  it('are counted by member, once for each stored notification', async () => {
    const count = async (member: string): Promise<number> => {
      const { body } = await bridge().request<string>('GET', '/metrics');
      const series = `nodebell_notifications_ignored_members_total{member="${member}"} `;
      return Number(
        body
          .split('\n')
          .find((line) => line.startsWith(series))
          ?.slice(series.length)
      );
    };
    const members = ['priority', 'callToAction', 'body', 'other'];
    const before = await Promise.all(members.map(count));
    const header = { 'Idempotency-Key': 'counted' };
    await bridge().post({ ...WRONG, unknown: 'a\0b', 'unknown too': '\0' }, header);
    await bridge().post({ ...WRONG, unknown: 'a\0b', 'unknown too': '\0' }, header);
    await bridge().request('POST', `${NOTIFICATIONS}?strict=true`, { title: 'T', body: 'B', ...WRONG });
    const after = await Promise.all(members.map(count));
    expect(after.map((one, index) => one - before[index]!)).toEqual([1, 1, 0, 2]);
  });
});

describe('any JSON object with a title or a body', () => {
  const text = fc.string({ unit: 'binary', minLength: 1 }).filter((one) => /[a-z]/i.test(one));
  const any = fc.oneof(
    fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
    fc.constantFrom('x'.repeat(5000), 'javascript:x', '\0', '\ud800', ' HIGH', { title: 1, url: '/x' }, { url: '//x' })
  );
  const name = fc.oneof(
    fc.constantFrom(...PAYLOAD_MEMBERS, ...SET_BY_BRIDGE, '__proto__', 'constructor', 'a/b~'),
    fc.string({ unit: 'binary' })
  );
  const sent = fc
    .tuple(
      fc.oneof(fc.record({ title: text }), fc.record({ body: text }), fc.record({ title: text, body: text })),
      fc.dictionary(name, any, { maxKeys: 12 })
    )
    .map(([telling, others]): Payload => Object.assign(others, telling));

  it('is stored, and served as the schemas say', async () => {
    await fc.assert(
      fc.asyncProperty(sent, async (payload) => {
        const answer = await bridge().request('POST', NOTIFICATIONS, payload);
        expect(answer.status, JSON.stringify(answer.body)).toBe(201);
        const { ignored, notes: _notes, ...stored } = sentNotificationSchema.parse(answer.body);
        const detail = await bridge().get(stored.id);
        expect(notificationDetailSchema.parse(detail).ignored).toEqual(ignored);
        expect(detail.members.map((member) => notificationSchema.parse(member).id)).toContain(stored.id);
        expect(/\S/.test(detail.title)).toBe(true);
        const strict = await bridge().request('POST', `${NOTIFICATIONS}?strict=true`, payload);
        // An empty button is accepted with strict=true as well.
        const wrong = ignored?.filter(({ reason }) => !reason.startsWith('Has neither title nor url.')) ?? [];
        expect(strict.status).toBe(wrong.length === 0 ? 201 : 400);
      }),
      { numRuns: 200 }
    );
  });
});
