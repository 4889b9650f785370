/** Whether the clocks of the bridge, of Grafana's server and of this computer agree, and which of them is wrong. Pure. */
import { duration } from '../parts/time';

/** UTC milliseconds at one and the same moment. */
export interface Clocks {
  bridge: number;
  /** This computer, on which the browser runs. */
  browser: number;
  /** To the second; undefined where Grafana's answer does not tell it. */
  grafana?: number;
}

/** Below this, answers that were long on their way would be called a wrong clock. */
export const MAX_SKEW_MS = 60_000;

export interface ClockVerdict {
  agree: boolean;
  /** "within 2 s", or which clock is wrong, and by how much. */
  words: string;
  /** Grafana and the bridge are further apart than a signature may be old. */
  signaturesFail: boolean;
}

/** How far the time that Grafana signs may be from the bridge's (backend-bridge/src/webhooks/signature.ts). */
const SIGNATURE_WINDOW_MS = 5 * 60_000;

const near = (a: number, b: number): boolean => Math.abs(a - b) <= MAX_SKEW_MS;

/** Two clocks that agree are taken to be right; with no two that do, each is told beside the bridge's. */
export function judgeClocks({ bridge, browser, grafana }: Clocks): ClockVerdict {
  const apart = grafana === undefined ? 0 : Math.abs(grafana - bridge);
  const verdict = (words: string) => ({ agree: false, words, signaturesFail: apart > SIGNATURE_WINDOW_MS });
  if (near(bridge, browser) && (grafana === undefined || (near(grafana, bridge) && near(grafana, browser)))) {
    const most = Math.max(Math.abs(bridge - browser), apart);
    return { agree: true, words: `within ${Math.max(1, Math.ceil(most / 1000))} s`, signaturesFail: false };
  }
  if (grafana === undefined) {
    return verdict(`the bridge is ${offsetOf(bridge - browser, 'this computer')}`);
  }
  if (near(grafana, browser)) {
    return verdict(`the bridge is ${offset(bridge - grafana)}`);
  }
  if (near(grafana, bridge)) {
    return verdict(`this computer is ${offset(browser - bridge)}`);
  }
  if (near(bridge, browser)) {
    return verdict(`Grafana’s server is ${offset(grafana - bridge)}`);
  }
  const server = `Grafana’s server is ${offsetOf(grafana - bridge, 'the bridge')}`;
  return verdict(`${server}, this computer ${offset(browser - bridge)}`);
}

const offset = (ms: number): string => `${duration(Math.abs(ms))} ${ms < 0 ? 'behind' : 'ahead'}`;
const offsetOf = (ms: number, than: string): string =>
  `${duration(Math.abs(ms))} ${ms < 0 ? 'behind' : 'ahead of'} ${than}`;
