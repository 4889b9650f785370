/** Whether the clocks of the bridge, of Grafana's server and of this computer agree, and which of them is wrong. Pure. */
import { t } from '../i18n/t';
import { duration } from '../components/time';

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
    return { agree: true, words: within(most), signaturesFail: false };
  }
  if (grafana === undefined) {
    return verdict(bridgeToComputer(bridge - browser));
  }
  if (near(grafana, browser)) {
    return verdict(bridgeAlone(bridge - grafana));
  }
  if (near(grafana, bridge)) {
    return verdict(computerAlone(browser - bridge));
  }
  if (near(bridge, browser)) {
    return verdict(grafanaAlone(grafana - bridge));
  }
  return verdict(bothToBridge(grafana - bridge, browser - bridge));
}

const within = (ms: number): string =>
  t('config.clocks.within', 'within {{seconds, number}} s', { seconds: Math.max(1, Math.ceil(ms / 1000)) });

/** By how much a clock is off, whatever the direction. */
const by = (ms: number) => ({ time: duration(Math.abs(ms)) });

const bridgeToComputer = (ms: number): string =>
  ms < 0
    ? t('config.clocks.bridge-behind-computer', 'the bridge is {{time}} behind this computer', by(ms))
    : t('config.clocks.bridge-ahead-computer', 'the bridge is {{time}} ahead of this computer', by(ms));

const bridgeAlone = (ms: number): string =>
  ms < 0
    ? t('config.clocks.bridge-behind', 'the bridge is {{time}} behind', by(ms))
    : t('config.clocks.bridge-ahead', 'the bridge is {{time}} ahead', by(ms));

const computerAlone = (ms: number): string =>
  ms < 0
    ? t('config.clocks.computer-behind', 'this computer is {{time}} behind', by(ms))
    : t('config.clocks.computer-ahead', 'this computer is {{time}} ahead', by(ms));

/** @param server how far the clock of Grafana's server is ahead of the bridge's, @param own that of this computer; in ms */
function bothToBridge(server: number, own: number): string {
  const values = { grafana: duration(Math.abs(server)), computer: duration(Math.abs(own)) };
  if (server < 0) {
    return own < 0
      ? t(
          'config.clocks.both-behind',
          'the Grafana server is {{grafana}} behind the bridge, this computer is {{computer}} behind',
          values
        )
      : t(
          'config.clocks.behind-and-ahead',
          'the Grafana server is {{grafana}} behind the bridge, this computer is {{computer}} ahead',
          values
        );
  }
  return own < 0
    ? t(
        'config.clocks.ahead-and-behind',
        'the Grafana server is {{grafana}} ahead of the bridge, this computer is {{computer}} behind',
        values
      )
    : t(
        'config.clocks.both-ahead',
        'the Grafana server is {{grafana}} ahead of the bridge, this computer is {{computer}} ahead',
        values
      );
}

const grafanaAlone = (ms: number): string =>
  ms < 0
    ? t('config.clocks.grafana-behind', 'the Grafana server is {{time}} behind', by(ms))
    : t('config.clocks.grafana-ahead', 'the Grafana server is {{time}} ahead', by(ms));
