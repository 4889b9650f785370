/** Compares the clocks of the bridge, the Grafana server and this computer. Pure. */
import { t } from '../i18n/t';
import { duration } from '../components/time';

/** UTC milliseconds at the same moment. */
export interface Clocks {
  bridge: number;
  /** This computer, on which the browser runs. */
  browser: number;
  /** Precise to the second; undefined if Grafana's response has no date. */
  grafana?: number;
}

/** Tolerance, so that network latency is not reported as clock skew. */
export const MAX_SKEW_MS = 60_000;

export interface ClockComparison {
  agree: boolean;
  /** "within 2 s", or which clock is off and by how much. */
  message: string;
  /** The skew between Grafana and the bridge exceeds the maximum age of a signature. */
  signaturesFail: boolean;
}

/** Maximum age of a signature (backend-bridge/src/platform/access/signature.ts). */
const SIGNATURE_WINDOW_MS = 5 * 60_000;

const near = (a: number, b: number): boolean => Math.abs(a - b) <= MAX_SKEW_MS;

/** Two clocks that agree are taken as correct. If none agree, both are compared with the bridge's. */
export function compareClocks({ bridge, browser, grafana }: Clocks): ClockComparison {
  const apart = grafana === undefined ? 0 : Math.abs(grafana - bridge);
  const outOfSync = (message: string) => ({ agree: false, message, signaturesFail: apart > SIGNATURE_WINDOW_MS });
  if (near(bridge, browser) && (grafana === undefined || (near(grafana, bridge) && near(grafana, browser)))) {
    const most = Math.max(Math.abs(bridge - browser), apart);
    return { agree: true, message: within(most), signaturesFail: false };
  }
  if (grafana === undefined) {
    return outOfSync(bridgeToComputer(bridge - browser));
  }
  if (near(grafana, browser)) {
    return outOfSync(bridgeAlone(bridge - grafana));
  }
  if (near(grafana, bridge)) {
    return outOfSync(computerAlone(browser - bridge));
  }
  if (near(bridge, browser)) {
    return outOfSync(grafanaAlone(grafana - bridge));
  }
  return outOfSync(bothToBridge(grafana - bridge, browser - bridge));
}

const within = (ms: number): string =>
  t('config.clocks.within', 'within {{seconds, number}} s', { seconds: Math.max(1, Math.ceil(ms / 1000)) });

/** Absolute skew as a duration. */
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

/** @param server skew of the Grafana server ahead of the bridge, in ms @param own skew of this computer, in ms */
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
