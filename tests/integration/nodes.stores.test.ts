/** The node of notifications: threads of nodes stay apart, and a token decides the name of its node. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createArchiveRow } from './nodes.testing.ts';
import { expectProblem, type Payload, START, useBridge } from './support.ts';

const bridge = useBridge();
beforeEach(() => bridge().clear());

const DISK = { dnpName: 'dms', correlationId: 'disk', category: 'hardware' };
const disk = (node: string | undefined, status: string, more: Payload = {}) =>
  bridge().send({
    ...DISK,
    status,
    ...(node !== undefined && { node }),
    title: `${node ?? 'here'} ${status}`,
    ...more,
  });
const tokenOf = async (body: object): Promise<Record<string, string>> => {
  const { token } = await bridge().call<{ token: string }>('POST', '/api/v1/tokens', body);
  return { Authorization: `Bearer ${token}` };
};

describe('threads of nodes', () => {
  it('are apart with the same package and correlationId, and resolve each by itself', async () => {
    await disk(undefined, 'triggered');
    await disk('attic', 'triggered');
    await disk('cellar', 'triggered');
    await disk('attic', 'resolved');
    expect(await bridge().titles('open=true')).toEqual(['cellar triggered', 'here triggered']);
    const [last] = await bridge().list('latest=true&node=attic');
    expect(last).toMatchObject({ node: 'attic', title: 'attic resolved', thread: { state: 'resolved', count: 2 } });
  });

  it('are resolved by hand, deleted and restored in their node', async () => {
    const here = await disk(undefined, 'triggered');
    const attic = await disk('attic', 'triggered');
    const closed = await bridge().call<Payload>('POST', `/api/v1/notifications/${attic.id}/resolve`);
    expect(closed).toMatchObject({ node: 'attic' });
    const undo = await bridge().remove(here.id, attic.id);
    await disk('attic', 'triggered');
    await bridge().restore(undo);
    expect((await bridge().list('latest=true')).map(({ node, thread }) => [node, thread.state, thread.count])).toEqual([
      ['attic', 'open', 3],
      [undefined, 'open', 1],
    ]);
  });

  it('are imported into their node', async () => {
    const sent = await disk('attic', 'triggered', { sentAt: '2026-11-20T10:00:00+01:00' });
    expect(sent).toMatchObject({ node: 'attic', sentAt: '2026-11-20T09:00:00.000Z' });
    await bridge().call('POST', '/api/v1/archive', {
      notifications: [
        createArchiveRow({ id: sent.id + 1000, timestamp: new Date(START).toISOString(), node: 'cellar' }),
      ],
    });
    expect(await bridge().list('node=cellar')).toMatchObject([{ node: 'cellar', sentAt: '2026-11-19T09:00:00.000Z' }]);
  });
});

describe('the filter', () => {
  it('and the facets name nodes; without a node: -', async () => {
    expect(await bridge().facets()).not.toHaveProperty('nodes');
    await disk(undefined, 'triggered');
    await disk('attic', 'triggered');
    await disk('attic/shed', 'resolved');
    expect(await bridge().titles('node=attic')).toEqual(['attic triggered']);
    expect(await bridge().titles('node=-')).toEqual(['here triggered']);
    expect(await bridge().titles('node=attic&node=attic/shed&latest=true')).toEqual([
      'attic/shed resolved',
      'attic triggered',
    ]);
    expect(await bridge().titles('q=triggered&node=attic')).toEqual(['attic triggered']);
    const facets = await bridge().facets('node=attic');
    expect(facets).toMatchObject({ total: 1, open: 1, exact: true, packages: [{ dnpName: 'dms', count: 1 }] });
    expect(facets.nodes).toEqual([
      { node: '-', open: 1 },
      { node: 'attic', open: 1 },
      { node: 'attic/shed', open: 0 },
    ]);
  });

  it('marks and deletes only what matches', async () => {
    await disk(undefined, 'triggered');
    await disk('attic', 'triggered');
    await bridge().call('PUT', '/api/v1/notifications/seen?node=attic');
    expect(await bridge().titles('seen=false')).toEqual(['here triggered']);
    await bridge().call('POST', '/api/v1/notifications/delete', { filter: { node: 'attic' } });
    expect(await bridge().titles()).toEqual(['here triggered']);
  });
});

describe('the name of a node', () => {
  it('is decided by a token; what it was before stays', async () => {
    const attic = await tokenOf({ name: 'attic', node: 'attic' });
    const nodes = [];
    for (const node of [undefined, 'attic', 'palace', 'palace/shed']) {
      const { body } = await bridge().post({ ...(node !== undefined && { node }) }, attic);
      nodes.push((body as Payload).node);
    }
    expect(nodes).toEqual(['attic', 'attic', 'attic', 'attic/shed']);
    expect(await bridge().call('GET', '/api/v1/tokens')).toMatchObject([{ name: 'attic', node: 'attic' }]);
  });

  it('is the one sent where the token has none; a wrong one is left out, or a 400', async () => {
    const any = await tokenOf({ name: 'any' });
    expect((await bridge().post({ node: 'shed' }, any)).body).toMatchObject({ node: 'shed' });
    const { body } = await bridge().post({ node: 'a b' });
    expect(body).toMatchObject({ ignored: [{ pointer: '/node' }] });
    expect(body).not.toHaveProperty('node');
    const strict = await bridge().request('POST', '/api/v1/notifications?strict=true', {
      title: 't',
      body: 'b',
      node: 'a//b',
    });
    expect(expectProblem(strict, 400).errors).toMatchObject([{ pointer: '/node' }]);
  });

  it('of a token is that of its webhooks as well', async () => {
    const attic = await tokenOf({ name: 'prometheus', node: 'attic' });
    const alert = { status: 'firing', labels: { alertname: 'Up', node: 'db1' }, annotations: {}, fingerprint: 'f' };
    const body = { version: '4', status: 'firing', alerts: [alert] };
    expect((await bridge().request('POST', '/api/v1/webhooks/alertmanager', body, attic)).status).toBe(200);
    expect(await bridge().list()).toMatchObject([{ node: 'attic', title: 'Up' }]);
  });
});
