/** The history of values, from Prometheus to the API. */
import { expect, test, vi } from 'vitest';
import type { ChainHistory, EndpointHistory } from '../../backend-bridge/contract/history.ts';
import { answerWith } from './fakePrometheus.testing.ts';
import { CHAIN_HISTORY, HISTORY, startHistorian } from './history.testing.ts';
import { GETH, PACKAGES } from './packages.testing.ts';
import { expectProblem, MINUTE } from './support.ts';
import { endpointOf, patch } from './thresholds.testing.ts';

test("a package's query is sent to the configured Prometheus only", async () => {
  const { bridge, fake } = await startHistorian(({ url }) => ({
    prometheusUrl: `${url}/prom`,
    prometheusToken: 'of-prometheus',
  }));
  expect((await endpointOf(bridge, 'host/cpu')).history).toBe(true);
  expect(await endpointOf(bridge, 'geth-peers')).not.toHaveProperty('history');
  await patch(bridge, 'host/cpu', { threshold: 40 });
  const history = await bridge.call<EndpointHistory>('GET', HISTORY);
  expect(history).toMatchObject({ threshold: 40, fired: 1, forSeconds: 90, checkedSeconds: 60, to: bridge.clock.iso });
  expect(history.samples).toHaveLength(288);
  expect(await bridge.call('GET', `${HISTORY}?threshold=60.5`)).toMatchObject({ threshold: 60.5, fired: 0 });
  const end = bridge.clock.now / 1000;
  expect(fake.asked).toMatchObject([
    {
      path: '/prom/api/v1/query_range',
      headers: { authorization: 'Bearer of-prometheus' },
      form: { query: '100*avg(rate(cpu[2m]))', start: String(end - 7 * 86_400), end: String(end), step: '60' },
    },
  ]);
});

test('values that are not numbers, or at unexpected times, are skipped', async () => {
  const { bridge, fake } = await startHistorian();
  const end = bridge.clock.now / 1000;
  const values: [number, string][] = [
    [end - 8 * 86_400, '99'],
    [end - 600, 'NaN'],
    [end - 540, '+Inf'],
    [end - 480, '12.5'],
    [end - 420, 'x'],
    [end + 600, '99'],
  ];
  fake.answer = answerWith(values, [[end, '1']]);
  expect(await bridge.call('GET', HISTORY)).toMatchObject({
    samples: [[end - 300, 12.5]],
    fired: 0,
    countedFrom: new Date((end - 540) * 1000).toISOString(),
    note: 'The query returns more than one series; the first is shown.',
  });
});

test('errors and invalid responses of Prometheus are reported', async () => {
  const { bridge, fake } = await startHistorian();
  const json = (status: number, body: unknown) => ({ status, body: JSON.stringify(body) });
  const cases: [{ status: number; body: string }, string][] = [
    [json(400, { status: 'error', errorType: 'bad_data', error: 'parse error at char 3' }), 'parse error at char 3'],
    [json(401, {}), 'Check NODEBELL_PROMETHEUS_TOKEN'],
    [json(404, {}), 'Check NODEBELL_PROMETHEUS_URL'],
    [{ status: 200, body: '<html>' }, 'Check NODEBELL_PROMETHEUS_URL'],
    [json(200, { status: 'success', data: { resultType: 'vector', result: [] } }), 'not a range vector'],
    [json(200, { status: 'success', data: null }), 'not a range vector'],
    [json(302, {}), 'Prometheus responds with status 302'],
    [{ status: 200, body: ' '.repeat(5 * 1024 * 1024) }, 'larger than 4194304 bytes'],
  ];
  for (const [answer, words] of cases) {
    fake.answer = answer;
    const problem = expectProblem(await bridge.request('GET', HISTORY), 503);
    expect(problem.detail).toContain(words);
    bridge.clock.advance(MINUTE);
  }
  fake.answer = json(200, { status: 'success', data: { resultType: 'matrix', result: [{}, { values: [7] }] } });
  expect(await bridge.call('GET', HISTORY)).toMatchObject({ samples: [], fired: 0 });
});

test('missing history is reported', async () => {
  const { bridge } = await startHistorian(() => ({}));
  expect(await endpointOf(bridge, 'host/cpu')).not.toHaveProperty('history');
  expect(expectProblem(await bridge.request('GET', HISTORY), 404).detail).toContain('NODEBELL_PROMETHEUS_URL');
  const { bridge: other } = await startHistorian(() => ({ prometheusUrl: 'http://127.0.0.1:1' }));
  expect(expectProblem(await other.request('GET', HISTORY), 503).detail).toContain('Prometheus: Could not fetch');
  const peers = `${PACKAGES}/${GETH}/endpoints/geth-peers/history`;
  expect(expectProblem(await other.request('GET', peers), 404).detail).toContain('not a query of Prometheus');
  expectProblem(await other.request('GET', `${PACKAGES}/${GETH}/endpoints/none/history`), 404);
  expectProblem(await other.request('GET', `${PACKAGES}/none.eth/endpoints/x/history`), 404);
  const [mistake] = expectProblem(await other.request('GET', `${HISTORY}?threshold=much`), 400).errors;
  expect(mistake).toMatchObject({ pointer: '?threshold', found: '"much"' });
});

test('how far a node has been behind', async () => {
  const { bridge, fake } = await startHistorian();
  // With a database server, a bridge polls nodes once it leads.
  const shown = (of: typeof bridge, chains: object) =>
    vi.waitFor(async () => expect(await of.call('GET', '/api/v1/chains')).toMatchObject(chains), { timeout: 60_000 });
  await shown(bridge, { history: true, nodes: [{ dnpName: GETH }] });
  const history = await bridge.call<ChainHistory>('GET', CHAIN_HISTORY);
  expect(history).toMatchObject({ to: bridge.clock.iso, stepSeconds: 300 });
  expect(history.samples).toHaveLength(288);
  const end = bridge.clock.now / 1000;
  expect(fake.asked[0]?.form).toMatchObject({
    query: `max(max_over_time(nodebell_chain_blocks_behind{package="${GETH}"}[300s]))`,
    start: String(end - 86_400),
    step: '300',
  });
  expect(expectProblem(await bridge.request('GET', '/api/v1/chains/none.eth/history'), 404).detail).toContain(
    'Node none.eth not found'
  );
  const { bridge: other } = await startHistorian(() => ({}));
  await shown(other, { nodes: [{ dnpName: GETH }] });
  expect(await other.call('GET', '/api/v1/chains')).not.toHaveProperty('history');
  expect(expectProblem(await other.request('GET', CHAIN_HISTORY), 404).detail).toContain('NODEBELL_PROMETHEUS_URL');
});
