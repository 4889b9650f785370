/**
 * The compiled bridge with clocks that run faster: both its system clock and the one by which ages are measured. Its timers keep their
 * real pace. Otherwise as backend-bridge/src/main.ts.
 *
 * Environment: PROOF_EPOCH (UTC milliseconds, when it was started) and PROOF_SPEED.
 */
import { pino } from 'pino';
import type * as Bridge from '../../backend-bridge/src/bridge.ts';
import type * as Settings from '../../backend-bridge/src/config.ts';
import { fastClock } from './fastClock.ts';

const dist = (name: string): string => new URL(`../../backend-bridge/dist/src/${name}.js`, import.meta.url).href;
const { startBridge } = (await import(dist('bridge'))) as typeof Bridge;
const { readConfig } = (await import(dist('config'))) as typeof Settings;

const speed = Number(process.env.PROOF_SPEED);
const config = readConfig(process.env);
const bridge = await startBridge(
  config,
  pino({ level: config.logLevel }),
  fastClock(Number(process.env.PROOF_EPOCH), speed),
  {
    pid: process.pid,
    elapsed: () => performance.now() * speed,
    onFatal: () => process.exit(1),
  }
);
process.once('SIGTERM', () => void bridge.close().then(() => process.exit(0)));
