/** Invalid input for endpoints: clear errors, and nothing is lost. */
import { afterEach, expect, test } from 'vitest';
import { GETH, PACKAGES } from './packages.testing.ts';
import { expectProblem, useBridge } from './support.ts';
import { body, endpointOf, patch, PEERS, register } from './thresholds.testing.ts';

const bridge = useBridge();
afterEach(() => bridge().request('DELETE', `${PACKAGES}/${GETH}`));

test.each([
  [{ threshold: 51 }, 400, 'a number from 0 to 50 peers'],
  [{ threshold: -0.001 }, 400, 'a number from 0 to 50 peers'],
  [{ threshold: '20' }, 400, 'number'],
  [{ threshold: 'NaN' }, 400, 'number'],
  [{ threshold: true }, 400, 'number'],
  [{ enabled: 1 }, 400, 'true or false'],
  [{}, 400, 'enabled, threshold or both'],
  [{ treshold: 20 }, 400, 'absent'],
  [[], 400, 'object'],
])('%j is rejected with the allowed values, and changes nothing', async (change, status, allowed) => {
  await register(bridge(), { endpoints: [PEERS] });
  await patch(bridge(), 'geth-peers', { threshold: 30 });
  const { errors } = expectProblem(await patch(bridge(), 'geth-peers', change), status);
  expect(errors.map((error) => error.allowed).join()).toContain(allowed);
  expect((await endpointOf(bridge(), 'geth-peers')).threshold?.value).toBe(30);
});

test('an unknown endpoint or package is reported', async () => {
  await register(bridge(), { endpoints: [PEERS] });
  expect(expectProblem(await patch(bridge(), 'geth-peer', { threshold: 20 }), 404).detail).toContain(
    'did you mean geth-peers?'
  );
  expectProblem(await patch(bridge(), 'geth-peers', { threshold: 20 }, { name: 'none.example.eth' }), 404);
  expectProblem(await bridge().request('GET', `${PACKAGES}/none.example.eth/endpoints`), 404);
});

test('a file with errors is rejected with lines; the previous one and its settings stay in effect', async () => {
  await register(bridge(), { endpoints: [PEERS] });
  await patch(bridge(), 'geth-peers', { threshold: 20 });
  const broken = { ...body({ version: '1.0.1' }), notifications: 'endpoints:\n  - name: "x\n' };
  const { errors } = expectProblem(await bridge().request('PUT', `${PACKAGES}/${GETH}`, broken), 400);
  expect(errors[0]!.detail).toMatch(/2|3/);
  expect((await endpointOf(bridge(), 'geth-peers')).threshold?.value).toBe(20);
});
