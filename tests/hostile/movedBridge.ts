/**
 * The compiled bridge with clocks that a test moves: the file MOVED_CLOCKS has the offset of the system clock and of the time that has
 * passed, in milliseconds. Regular work runs ten times a second. Otherwise as backend-bridge/src/main.ts.
 */
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import type * as Bridge from '../../backend-bridge/src/bridge.ts';
import type * as Settings from '../../backend-bridge/src/config.ts';

const dist = (name: string): string => new URL(`../../backend-bridge/dist/src/${name}.js`, import.meta.url).href;
const { startBridge } = (await import(dist('bridge'))) as typeof Bridge;
const { readConfig } = (await import(dist('config'))) as typeof Settings;

const { setInterval } = globalThis;
globalThis.setInterval = ((work: () => void, ms: number) => setInterval(work, Math.min(ms, 100))) as typeof setInterval;
const offsets = (): number[] => readFileSync(process.env.MOVED_CLOCKS!, 'utf8').split(' ').map(Number);
const config = readConfig(process.env);
const bridge = await startBridge(config, pino({ level: config.logLevel }), () => Date.now() + offsets()[0]!, {
  pid: process.pid,
  elapsed: () => performance.now() + offsets()[1]!,
  onFatal: () => process.exit(1),
});
process.once('SIGTERM', () => void bridge.close().then(() => process.exit(0)));
