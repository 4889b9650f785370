/** A bridge that polls real nodes. */
import { onTestFinished } from 'vitest';
import type { ChainNode, Chains } from '../../../backend-bridge/contract/chain.ts';
import { Folder, manifest } from '../../integration/provisioning.testing.ts';
import { TestBridge } from '../../integration/support.ts';
import { RPC_USER } from './chainNodes.ts';
import { until } from './until.ts';

export interface Watched {
  chain: string;
  url: string;
  password?: string;
  compose?: string;
}

/** A bridge that polls these nodes every second. */
export async function bridgeFor(nodes: Record<string, Watched>): Promise<TestBridge> {
  const nameOf = (short: string): string => `${short}.dnp.dappnode.eth`;
  const all = Object.entries(nodes);
  const folder = await Folder.make({
    'all.yaml': [
      'apiVersion: 1',
      'packages:',
      ...all.map(
        ([name, { compose }]) => `  - { manifest: ${name}.json${compose ? `, compose: ${name}.yaml.txt` : ''} }`
      ),
      'chains:',
      ...all.map(([name, { url, password }]) => {
        const credentials = password === undefined ? '' : `, username: ${RPC_USER}, password: ${password}`;
        return `  ${nameOf(name)}: { url: "${url}", interval: 1s${credentials} }`;
      }),
      '',
    ].join('\n'),
    ...Object.fromEntries(all.map(([name, { chain }]) => [`${name}.json`, manifest(nameOf(name), '1.0.0', { chain })])),
    ...Object.fromEntries(all.flatMap(([name, { compose }]) => (compose ? [[`${name}.yaml.txt`, compose]] : []))),
  });
  const bridge = await TestBridge.start({ provisioning: { dir: folder.dir, env: {} } });
  onTestFinished(() => bridge.dispose());
  return bridge;
}

export async function nodeOf(bridge: TestBridge, name: string): Promise<ChainNode | undefined> {
  const { nodes } = await bridge.call<Chains>('GET', '/api/v1/chains');
  return nodes.find((node) => node.name === name);
}

/** Waits until the node is reported in this state. */
export function untilNode(bridge: TestBridge, name: string, is: (node: ChainNode) => boolean): Promise<ChainNode> {
  let last: ChainNode | undefined;
  return until(`${name} is told as it is`, async () => {
    last = await nodeOf(bridge, name);
    if (last && is(last)) {
      return last;
    }
    throw new Error(JSON.stringify(last));
  });
}

/** Undefined if the metric is absent. */
export async function metricOf(bridge: TestBridge, metric: string, name: string): Promise<number | undefined> {
  const text = await bridge.call<string>('GET', '/metrics');
  const line = text.split('\n').find((one) => one.startsWith(`nodebell_chain_${metric}{package="${name}.dnp.`));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}
