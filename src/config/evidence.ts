/** What a test of the connection found out. Plain facts; `diagnosis.ts` makes words of them. */
import type { BridgeStatus } from '@nodebell/contract/status.ts';
import type { ConnectFailure } from './connectFailure';

/** What became of asking the bridge for its status, through Grafana's proxy. */
export type Reply =
  /** The bridge answered. Times are UTC milliseconds of this computer; `grafanaAt` is by the clock of Grafana's server. */
  | { kind: 'status'; status: BridgeStatus; sentAt: number; receivedAt: number; grafanaAt?: number }
  /** Grafana got no connection, and says so by 502 or 504; it does not say why. `failure` is what its alerting says. */
  | { kind: 'no-connection'; failure?: ConnectFailure }
  /** Nothing came back for so long. */
  | { kind: 'timeout'; afterMs: number }
  /** The bridge answered with a problem. */
  | { kind: 'problem'; status: number; detail: string }
  /** Grafana itself refused to ask. */
  | { kind: 'grafana'; status: number; message: string }
  /** Something answered that is no bridge of this kind. */
  | { kind: 'foreign'; version?: string };

export interface Evidence {
  host: string;
  port: number;
  /** Whether Grafana has a token to send. */
  tokenSet: boolean;
  /** Version of the plugin. */
  version: string;
  reply: Reply;
}
