/** A bridge with a simulated Prometheus, and a package that queries it. */
import { onTestFinished } from 'vitest';
import { type FakePrometheus, startFakePrometheus } from './fakePrometheus.testing.ts';
import { GETH, manifest, PACKAGES } from './packages.testing.ts';
import { TestBridge } from './support.ts';
import { body, PEERS } from './thresholds.testing.ts';

const CPU = {
  correlationId: 'host/cpu',
  url: 'http://prometheus.of.the.package:9090/api/v1/query?query=100*avg(rate(cpu%5B2m%5D))',
  conditions: ['[BODY].data.result[0].value[1] <= 80'],
  metric: { min: 0, max: 100, unit: '%' },
};

/** correlationId of the endpoint with a history. */
export const HISTORY = `${PACKAGES}/${GETH}/endpoints/host%2Fcpu/history`;

/** The package's node. */
export const CHAIN_HISTORY = `/api/v1/chains/${GETH}/history`;

/** Both are stopped after the test. */
export async function startHistorian(
  monitors: (fake: FakePrometheus) => object = ({ url }) => ({ prometheusUrl: url })
): Promise<{ bridge: TestBridge; fake: FakePrometheus }> {
  const fake = await startFakePrometheus();
  const bridge = await TestBridge.start({ monitors: monitors(fake) });
  onTestFinished(() => bridge.dispose());
  const { notifications } = body({ endpoints: [CPU, PEERS] });
  await bridge.call('POST', PACKAGES, { manifest: manifest({ chain: 'ethereum' }), notifications });
  return { bridge, fake };
}
