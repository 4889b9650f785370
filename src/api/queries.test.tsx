import { beforeEach, expect, it } from 'vitest';
import { serveBridge, serveQueries } from '../component.testing';
import { runQueries } from './queries';

const request = { from: 1000, to: 2000, intervalMs: 100, maxDataPoints: 10, targets: [{ refId: 'A' }] };
const frame = { schema: { fields: [{ name: 'value', type: 'number' }] }, data: { values: [[1, 2]] } };
const serve = (response: unknown, status = 200) => {
  serveBridge(() => {
    if (status !== 200) {
      throw Object.assign(new Error(`HTTP ${status}`), { status, data: response });
    }
    return response;
  });
};
beforeEach(serveQueries);

it('returns the frames with the refId of their query', async () => {
  serve({ results: { A: { frames: [frame] } } });
  expect(await runQueries(request)).toMatchObject([{ refId: 'A', fields: [{ type: 'number', values: [1, 2] }] }]);
});

it("throws the data source's message", async () => {
  serve({ results: { A: { error: 'no such metric', frames: [] } } }, 400);
  await expect(runQueries(request)).rejects.toThrow('no such metric');
});

it('tells a missing permission from other errors', async () => {
  serve({ message: 'Access denied' }, 403);
  await expect(runQueries(request)).rejects.toMatchObject({ kind: 'role', status: 403 });
});
