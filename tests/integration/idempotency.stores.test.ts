/** `Idempotency-Key`: a retried send is stored once. */
import { beforeEach, describe, expect, it } from 'vitest';
import { expectProblem, HOUR, NOTIFICATIONS, SECOND, useBridge } from './support.ts';

const bridge = useBridge();
beforeEach(() => bridge().clear());

let last = 0;
const fresh = (): string => `key-${(last += 1)}`;
const send = (key: string, payload: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  bridge().post(payload, { 'Idempotency-Key': key, ...headers });

it('the same key and body return the same response, with 200', async () => {
  const key = fresh();
  const first = await send(key, { category: 'a', correlationId: 'c' });
  expect(first.status).toBe(201);
  bridge().clock.advance(SECOND);
  const second = await send(key, { category: 'a', correlationId: 'c' });
  expect(second.status).toBe(200);
  expect(second.body).toEqual(first.body);
  expect(await bridge().list()).toEqual([first.body]);
});

it('the same key with another body is a conflict, and stores nothing', async () => {
  const key = fresh();
  const first = await send(key, { category: 'a' });
  expectProblem(await send(key, { category: 'b' }), 409);
  expect(await bridge().list()).toEqual([first.body]);
  expect((await send(key, { category: 'a' })).status).toBe(200);
});

it('another key, or none, stores again', async () => {
  await send(fresh());
  await send(fresh());
  await bridge().send();
  await bridge().send();
  expect(await bridge().list()).toHaveLength(4);
});

it('ten concurrent requests are stored once and return the same response', async () => {
  const key = fresh();
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(key, { title: 'once' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(9).fill(200), 201]);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(await bridge().list()).toHaveLength(1);
});

it('ten concurrent requests with different bodies: one is stored, the others are conflicts', async () => {
  const key = fresh();
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => send(key, { title: `number ${index}` })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  expect(await bridge().list()).toHaveLength(1);
});

it('survives a restart', async () => {
  const key = fresh();
  const first = await send(key);
  await bridge().restart();
  expect((await send(key)).body.id).toBe(first.body.id);
});

it('is separate for each sender', async () => {
  const [one, two] = await Promise.all(['one', 'two'].map((name) => bridge().call('POST', '/api/v1/tokens', { name })));
  const key = fresh();
  const by = (token: string) => send(key, {}, { Authorization: `Bearer ${token}` });
  const nobody = await fetch(`${bridge().url}${NOTIFICATIONS}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: '{"title":"T","body":"B"}',
  });
  expect([
    (await by(one.token)).status,
    (await by(two.token)).status,
    nobody.status,
    (await by(one.token)).status,
  ]).toEqual([201, 201, 201, 200]);
  expect(await bridge().list()).toHaveLength(3);
});

describe('24 hours', () => {
  it('a key is stored until then', async () => {
    const key = fresh();
    const first = await send(key);
    bridge().clock.advance(24 * HOUR);
    expect((await send(key)).body.id).toBe(first.body.id);
  });
  it('a key can be reused after that', async () => {
    const key = fresh();
    const first = await send(key);
    bridge().clock.advance(24 * HOUR + 1);
    const again = await send(key, { title: 'another body' });
    expect(again.status).toBe(201);
    expect(again.body.id).toBeGreaterThan(first.body.id);
  });
});

it('is removed with a deleted notification, and restored with it', async () => {
  const key = fresh();
  const first = await send(key);
  const undo = await bridge().remove(first.body.id);
  expectProblem(await send(key), 410);
  expect(await bridge().list()).toEqual([]);
  await bridge().restore(undo);
  const again = await send(key);
  expect([again.status, again.body.id]).toEqual([200, first.body.id]);
});

it('returns the current notification', async () => {
  const key = fresh();
  const first = await send(key);
  await bridge().call('PATCH', `${NOTIFICATIONS}/${first.body.id}`, { seen: true });
  expect((await send(key)).body).toMatchObject({ id: first.body.id, seen: true });
});

it.each(['', 'with space', 'é', 'x'.repeat(201)])('an invalid key is rejected: %j', async (key) => {
  const answer = await bridge().post(
    {},
    {
      'Idempotency-Key':
        encodeURIComponent(key) === key || key.includes(' ') ? key : Buffer.from(key).toString('latin1'),
    }
  );
  expect(expectProblem(answer, 400).errors).toMatchObject([{ pointer: 'Idempotency-Key' }]);
  expect(await bridge().list()).toEqual([]);
});

it('an invalid body does not consume the key', async () => {
  const key = fresh();
  expectProblem(await send(key, { title: '', body: '' }), 400);
  expect((await send(key, { priority: 'high' })).status).toBe(201);
});
