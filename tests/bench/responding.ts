/** From the start of an acknowledgement to its event on an open stream, which is what other tabs show. */
import { ADMIN_TOKEN, runBridge } from './bridge.ts';
import { percentile, table } from './table.ts';

const ACTS = 300;

export async function responding(): Promise<void> {
  const bridge = await runBridge();
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' };
  const post = async (path: string, body: object): Promise<{ id: number }> => {
    const response = await fetch(`${bridge.url}/api/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return (await response.json()) as { id: number };
  };
  const ids: number[] = [];
  for (let thread = 0; thread < ACTS; thread += 1) {
    const body = { title: 'Disk full', body: 'x', correlationId: `thread ${thread}`, status: 'triggered' };
    ids.push((await post('/notifications', body)).id);
  }
  const ending = new AbortController();
  const stream = await fetch(`${bridge.url}/api/v1/events`, { headers, signal: ending.signal });
  const reader = stream.body!.getReader();
  const decoder = new TextDecoder();
  const times: number[] = [];
  for (const id of ids) {
    const start = performance.now();
    const acting = post(`/notifications/${id}/acknowledge`, { comment: 'on it' });
    for (let text = ''; !(text.includes('event: responded') && text.includes(`[${id}]`));) {
      const { value, done } = await reader.read();
      if (done) {
        throw new Error('the stream of events ended');
      }
      text += decoder.decode(value, { stream: true });
    }
    times.push(performance.now() - start);
    await acting;
  }
  ending.abort();
  await bridge.stop();
  const shown = [50, 95, 100].map((share) => percentile(times, share).toFixed(1));
  console.log(`\n## From an acknowledgement to its event on a stream (milliseconds, ${ACTS} of them)\n`);
  console.log(table(['p50', 'p95', 'max'], [shown]));
}
