/** Two bridges on one PostgreSQL database. */
import { onTestFinished, vi } from 'vitest';
import type { BridgeStatus } from '../../backend-bridge/contract/status.ts';
import type { Config } from '../../backend-bridge/src/config.ts';
import { Listener } from './listener.ts';
import { TestBridge } from './support.ts';

/** A takeover is done within this time, whatever the leader died of: the requirement. */
export const TAKEOVER_MS = 15_000;

export const eventually = <T>(check: () => T | Promise<T>, timeout = 60_000): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 50 });

/** The event stream of a bridge, until the test ends. */
export async function listen(bridge: TestBridge, lastEventId?: number): Promise<Listener> {
  const listener = await Listener.connect(bridge, lastEventId);
  onTestFinished(() => listener.close());
  return listener;
}

export interface Replicas {
  leader: TestBridge;
  follower: TestBridge;
}

/** The first leads. */
export async function startReplicas(config: Partial<Config> = {}): Promise<Replicas> {
  const leader = await TestBridge.start(config);
  const follower = await TestBridge.start({ ...config, databaseUrl: leader.databaseUrl });
  return { leader, follower };
}

/** Two bridges for one test. */
export async function replicasOfTest(config: Partial<Config> = {}): Promise<Replicas> {
  const replicas = await startReplicas(config);
  onTestFinished(() => stopReplicas(replicas));
  return replicas;
}

export async function stopReplicas({ leader, follower }: Replicas): Promise<void> {
  await follower.dispose();
  await leader.dispose();
}

export async function roleOf(bridge: TestBridge): Promise<BridgeStatus['replica']> {
  return (await bridge.call<BridgeStatus>('GET', '/api/v1/status')).replica;
}
