/**
 * The compiled bridge with clocks that run faster: its system clock, the one by which ages are measured, and the intervals of regular
 * work such as retention. Timeouts keep their real pace. Otherwise as backend-bridge/src/main.ts.
 *
 * Environment: PROOF_EPOCH (UTC milliseconds, when it was started) and PROOF_SPEED.
 */
import { pino } from 'pino';
import type * as Bridge from '../../backend-bridge/src/bridge.ts';
import type * as Settings from '../../backend-bridge/src/config.ts';
import { fastClock } from './fastClock.ts';

/** Shorter intervals poll for something that happens in real time. */
const REGULAR_MS = 10_000;

const dist = (name: string): string => new URL(`../../backend-bridge/dist/src/${name}.js`, import.meta.url).href;
const { startBridge } = (await import(dist('bridge'))) as typeof Bridge;
const { readConfig } = (await import(dist('config'))) as typeof Settings;

const speed = Number(process.env.PROOF_SPEED);
const { setInterval } = globalThis;
const faster = (work: () => void, ms: number): NodeJS.Timeout =>
  setInterval(work, ms < REGULAR_MS ? ms : Math.max(1, ms / speed));
globalThis.setInterval = faster as typeof setInterval;
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
