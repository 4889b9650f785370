/** Sources of inhibition that change while they are open. */
import { describe, expect, test } from 'vitest';
import { detailOf, send, sentSoFar, start, until } from './suppression.testing.ts';

const DEPENDS = `dependencies: [{ package: jellyfin, on: [{ package: nas }] }]`;
const media = (title: string) => ({ title, dnpName: 'jellyfin', priority: 'critical' });

describe('a source that goes on without matching its rule inhibits no more', () => {
  test('its targets are sent', async () => {
    const running = await start(DEPENDS);
    await send(running, { title: 'offline', priority: 'critical' });
    const target = await send(running, media('no media'));
    expect(await sentSoFar(running)).toEqual(['offline triggered']);
    const source = await send(running, { title: 'offline', priority: 'low' });
    await until(async () => expect((await detailOf(running, target)).thread.suppressed).toBeUndefined());
    expect((await detailOf(running, source)).thread).toMatchObject({ state: 'open' });
    expect(await sentSoFar(running)).toEqual(['offline triggered', 'no media triggered']);
  });

  test('later targets are sent', async () => {
    const running = await start(DEPENDS);
    await send(running, { title: 'offline', priority: 'critical' });
    await send(running, { title: 'offline', priority: 'low' });
    await send(running, media('no media'));
    expect(await sentSoFar(running)).toEqual(['offline triggered', 'offline triggered', 'no media triggered']);
    await send(running, { title: 'offline', priority: 'critical' });
    await send(running, media('no sound'));
    expect(await sentSoFar(running)).toEqual(['offline triggered']);
  });

  test('the order of one request counts', async () => {
    const running = await start(DEPENDS);
    const offline = (priority: string) => ({
      ...{ title: 'offline', body: 'b', dnpName: 'nas', correlationId: 'offline', status: 'triggered', priority },
    });
    const items = [offline('critical'), offline('low')];
    await running.bridge.call('POST', '/api/v1/notifications/batch', items);
    await send(running, media('no media'));
    expect(await sentSoFar(running)).toContain('no media triggered');
    await running.bridge.call('POST', '/api/v1/notifications/batch', items.toReversed());
    await send(running, media('no sound'));
    expect(await sentSoFar(running)).not.toContain('no sound triggered');
  });
});

test('a source whose equal labels change inhibits those of its new labels', async () => {
  const running = await start(
    `inhibit_rules: [{ name: r, source_matchers: ['alertname="Down"'], target_matchers: ['alertname="Slow"'], equal: [site] }]`
  );
  const down = (site: string) => send(running, { title: 'down', labels: { alertname: 'Down', site } });
  const slow = (site: string) => send(running, { title: `slow ${site}`, labels: { alertname: 'Slow', site } });
  const isSuppressed = async (id: number) => (await detailOf(running, id)).thread.suppressed !== undefined;
  await down('a');
  const [inA, inB] = [await slow('a'), await slow('b')];
  expect([await isSuppressed(inA), await isSuppressed(inB)]).toEqual([true, false]);
  await down('b');
  await until(async () => expect([await isSuppressed(inA), await isSuppressed(inB)]).toEqual([false, true]));
  expect(await sentSoFar(running)).toContain('slow a triggered');
});
