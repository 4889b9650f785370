/** The list as a file: all that match, as JSON Lines or CSV. */
import { beforeAll, expect, it } from 'vitest';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import { EXPORT_STEP } from '../../backend-bridge/src/platform/http/export.ts';
import { NOTIFICATIONS, useBridge } from './support.ts';

const bridge = useBridge();
/** More than the bridge reads at a time. */
const COUNT = 2 * EXPORT_STEP + 1;
const titleOf = (index: number) => `Notification ${index}`;

beforeAll(async () => {
  const all = Array.from({ length: COUNT }, (_, index) => ({
    title: titleOf(index),
    body: index === 0 ? '=cmd|"x", in\ntwo lines' : 'B',
    category: index % 2 === 0 ? 'even' : 'odd',
    dnpName: 'geth.example.eth',
  }));
  for (let from = 0; from < COUNT; from += 1000) {
    await bridge().call('POST', `${NOTIFICATIONS}/batch`, all.slice(from, from + 1000));
  }
});

const download = (query: string, headers?: Record<string, string>) =>
  bridge().request<string>('GET', `${NOTIFICATIONS}?${query}`, undefined, headers);

it('JSON Lines have all that match, each as in the list', async () => {
  const { headers, body } = await download('category=odd&format=jsonl');
  expect(headers.get('content-type')).toBe('application/x-ndjson');
  expect(headers.get('content-disposition')).toBe('attachment; filename="nodebell.jsonl"');
  const rows = body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Notification);
  expect(rows.map(({ title }) => title)).toEqual(
    Array.from({ length: COUNT }, (_, index) => titleOf(COUNT - 1 - index)).filter((_, index) => index % 2 === 1)
  );
  const [newest] = await bridge().call<Notification[]>('GET', `${NOTIFICATIONS}?category=odd&limit=1`);
  expect(rows[0]).toEqual(newest);
});

it('CSV begins with the names of the columns, and no cell is a formula', async () => {
  const { headers, body } = await download('', { Accept: 'text/csv' });
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const lines = body.split('\r\n');
  expect(lines[0]).toBe('id,timestamp,priority,status,title,body,category,dnpName,node,source,correlationId,seen');
  expect(lines).toHaveLength(COUNT + 2);
  const { id, timestamp, correlationId } = (await bridge().call<Notification[]>('GET', `${NOTIFICATIONS}?limit=1`))[0]!;
  expect(lines[1]).toBe(
    `${id},${timestamp},low,triggered,${titleOf(COUNT - 1)},B,even,geth.example.eth,,api,${correlationId},false`
  );
  expect(lines.at(-2)).toContain(`,Notification 0,"'=cmd|""x"", in\ntwo lines",even,`);
});

it('a browser that accepts everything gets a page of JSON', async () => {
  const { headers, body } = await download('limit=3', { Accept: 'text/html,*/*;q=0.8' });
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(body).toHaveLength(3);
});

it('a wrong format or filter is an error, not an empty file', async () => {
  expect((await download('format=xlsx')).status).toBe(400);
  expect((await download('format=csv&latest=true&muted=true')).status).toBe(400);
});
