/** The specification's sections "States and transitions", "Endpoints" and "Errors", one test for each row. */
import { beforeEach, describe, expect, it } from 'vitest';
import { expectProblem, NOTIFICATIONS, useBridge } from './support.ts';

const bridge = useBridge();
beforeEach(() => bridge().clear());

describe('States and transitions', () => {
  it('(received) | receipt by the notifications package | always | seen = false | timestamp is set automatically', async () => {
    const sent = await bridge().send({ seen: true, timestamp: '2001-01-01T00:00:00Z' });
    expect(sent).toMatchObject({ seen: false, timestamp: bridge().clock.iso });
    expect(await bridge().list()).toEqual([sent]);
    expect(await bridge().unseenCount()).toBe(1);
  });

  it('seen = false | user views the notification | none | seen = true | none', async () => {
    const [viewed, other] = await bridge().sendAll([{}, {}]);
    await bridge().call('PATCH', `${NOTIFICATIONS}/${viewed!.id}`, { seen: true });
    expect(await bridge().list('seen=true')).toEqual([
      { ...viewed, seen: true, thread: { ...viewed!.thread, unseen: 0 } },
    ]);
    expect(await bridge().list('seen=false')).toEqual([other]);
    expect(await bridge().unseenCount()).toBe(1);
  });

  it('seen does not change when it is listed', async () => {
    const sent = await bridge().send({ isBanner: true });
    await bridge().list();
    await bridge().get(sent.id);
    await bridge().facets();
    expect(await bridge().list()).toEqual([sent]);
  });

  it('seen = true | user marks it unread | seen = false', async () => {
    const { id } = await bridge().send();
    await bridge().call('PATCH', `${NOTIFICATIONS}/${id}`, { seen: true });
    await bridge().call('PATCH', `${NOTIFICATIONS}/${id}`, { seen: false });
    expect((await bridge().get(id)).seen).toBe(false);
    expect(await bridge().unseenCount()).toBe(1);
  });

  it.each([false, true])(
    'any (seen = %j) | user deletes the notification | none | removed from the inbox | none',
    async (seen) => {
      const [gone, stays] = await bridge().sendAll([{ category: 'gone' }, { category: 'stays' }]);
      await bridge().call('PATCH', `${NOTIFICATIONS}/${gone!.id}`, { seen });
      await bridge().call('DELETE', `${NOTIFICATIONS}/${gone!.id}`);
      expect(await bridge().list('muted=all&errors=all')).toEqual([stays]);
      expect(await bridge().unseenCount()).toBe(1);
      expect((await bridge().facets()).categories.map(({ category }) => category)).toEqual(['stays']);
      expectProblem(await bridge().request('GET', `${NOTIFICATIONS}/${gone!.id}`), 404);
      expectProblem(await bridge().request('DELETE', `${NOTIFICATIONS}/${gone!.id}`), 404);
      expectProblem(await bridge().request('PATCH', `${NOTIFICATIONS}/${gone!.id}`, { seen: true }), 404);
    }
  );

  it('any | user deletes the notification | also one with errors', async () => {
    const sent = await bridge().send({ errors: 'no such host' });
    await bridge().call('DELETE', `${NOTIFICATIONS}/${sent.id}`);
    expect(await bridge().list('errors=only')).toEqual([]);
  });

  it('Rule: a notification whose errors field is provided is not shown in the inbox', async () => {
    const shown = await bridge().send({
      category: 'system',
      dnpName: 'one.dnp',
      isBanner: true,
      status: 'triggered',
      correlationId: 'c',
    });
    const failed = await bridge().send({
      category: 'system',
      dnpName: 'one.dnp',
      isBanner: true,
      status: 'resolved',
      correlationId: 'c',
      errors: 'no such host',
    });
    for (const query of [
      '',
      'category=system',
      'dnpName=one.dnp',
      'isBanner=true',
      'seen=false',
      'latest=true',
      'open=true',
      'q=title',
      'muted=all',
    ]) {
      expect(
        (await bridge().list(query)).map(({ id }) => id),
        query
      ).toEqual([shown.id]);
    }
    expect(await bridge().unseenCount()).toBe(1);
    expect(await bridge().facets()).toMatchObject({
      total: 1,
      unseen: 1,
      open: 1,
      categories: [{ category: 'system', count: 1 }],
    });
    expect(await bridge().call('GET', '/api/v1/categories')).toEqual([
      { category: 'system', enabled: true, count: 1, unseen: 1 },
    ]);
    expect(failed.thread).toMatchObject({ state: 'open', count: 1, unseen: 1 });
  });

  it('… and is listed under "Delivery errors", separately or with the others', async () => {
    const shown = await bridge().send();
    const failed = await bridge().send({ errors: 'no such host' });
    expect(await bridge().list('errors=only')).toEqual([failed]);
    expect(await bridge().list('errors=all')).toEqual([failed, shown]);
    expect(await bridge().facets('errors=only')).toMatchObject({ total: 1, unseen: 1, open: 0 });
    expect(failed.thread.lastAt).toBe(bridge().clock.iso);
  });

  it('… where it can be marked as seen, one or all', async () => {
    const failed = await bridge().sendAll([{ errors: 'a' }, { errors: 'b' }, { errors: 'c' }]);
    expect(await bridge().call('PATCH', `${NOTIFICATIONS}/${failed[0]!.id}`, { seen: true })).toMatchObject({
      seen: true,
    });
    expect(await bridge().call('PUT', `${NOTIFICATIONS}/seen?errors=only`)).toEqual({ changed: 2 });
    expect(await bridge().facets('errors=only')).toMatchObject({ total: 3, unseen: 0 });
    expect(await bridge().unseenCount()).toBe(0);
  });
});

describe('Endpoints: send a notification', () => {
  it('Method POST, Path {notifier_url}/api/v1/notifications', async () => {
    expect((await bridge().post({})).status).toBe(201);
    expect(await bridge().list()).toHaveLength(1);
  });
  it('Request header Content-Type: application/json, and no other', async () => {
    const answer = await fetch(`${bridge().url}${NOTIFICATIONS}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"title":"T","body":"B"}',
    });
    expect(answer.status).toBe(201);
  });
  it('Request body: JSON object of the notification payload fields', async () => {
    const payload = {
      title: 'T',
      body: 'B',
      category: 'c',
      dnpName: 'd.dnp',
      priority: 'high',
      status: 'triggered',
      correlationId: 'i',
      isBanner: true,
      callToAction: { title: 'Go', url: '/x' },
      icon: 'https://example.org/i.png',
    };
    expect(await bridge().send(payload)).toMatchObject(payload);
    expect(await bridge().send({ ...payload, errors: 'e' })).toMatchObject({ ...payload, errors: 'e' });
  });
  it('Response: 201, with the stored notification and Location', async () => {
    const answer = await bridge().post({});
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect((await bridge().call('GET', answer.headers.get('location')!)).id).toBe(answer.body.id);
  });
  it('ids increase with arrival', async () => {
    const sent = await bridge().sendAll([{}, {}, {}]);
    expect(sent[1]!.id).toBe(sent[0]!.id + 1);
    expect(sent[2]!.id).toBe(sent[1]!.id + 1);
  });
  it('accepts the query parameters that the client of DAppNode adds', async () => {
    expect(
      (
        await bridge().request('POST', `${NOTIFICATIONS}?subscriptionEndpoint=https%253A%252F%252Fx`, {
          title: 'T',
          body: 'B',
        })
      ).status
    ).toBe(201);
  });
});

describe('Errors', () => {
  it('1. The notification field errors carries an error message about the notification. When it is provided, the notification is not shown in the inbox', async () => {
    await bridge().send({ errors: 'lookup dms.dappnode: no such host' });
    expect(await bridge().list()).toEqual([]);
    expect((await bridge().list('errors=only')).map(({ errors }) => errors)).toEqual([
      'lookup dms.dappnode: no such host',
    ]);
  });
  it('2. Error responses of the send interface: a problem document that names every mistake, and nothing is stored', async () => {
    const body = {
      title: '',
      priority: 'urgent',
      status: 'firing',
      isBanner: 'maybe',
      callToAction: { title: 'x', url: 'javascript:x' },
      icon: 7,
    };
    const problem = expectProblem(await bridge().request('POST', NOTIFICATIONS, body), 400);
    expect(problem.errors.map(({ pointer }) => pointer).sort()).toEqual([
      '/body',
      '/callToAction/url',
      '/icon',
      '/isBanner',
      '/priority',
      '/status',
      '/title',
    ]);
    for (const { found, allowed, detail } of problem.errors) {
      expect([found, allowed, detail].every((text) => text.length > 0)).toBe(true);
    }
    expect(problem.detail).toContain('7 errors');
    expect(await bridge().list('errors=all&muted=all')).toEqual([]);
  });
  it.each([
    [400, 'not JSON', '{"title":', 'application/json'],
    [400, 'not an object', '[]', 'application/json'],
    [415, 'not said to be JSON', '{"title":"T","body":"B"}', 'text/plain'],
    [413, 'more than 1 MiB', JSON.stringify({ title: 'T', body: 'x'.repeat(1024 * 1024) }), 'application/json'],
  ])('2. Error codes of the send interface: %i for %s', async (status, _what, body, type) => {
    const response = await fetch(`${bridge().url}${NOTIFICATIONS}`, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body,
    });
    expectProblem({ status: response.status, headers: response.headers, body: await response.json() }, status);
    expect(await bridge().list('errors=all&muted=all')).toEqual([]);
  });
});
