/** Result of a connection test; `diagnosis.ts` turns it into messages. */
import type { BridgeStatus } from '@nodebell/contract/status.ts';
import type { ConnectFailure } from './connectFailure';

/** Outcome of a status request through Grafana's proxy. */
export type Reply =
  /** The bridge responded. Times are UTC milliseconds by this computer's clock; `grafanaAt` by the Grafana server's. */
  | { kind: 'status'; status: BridgeStatus; sentAt: number; receivedAt: number; grafanaAt?: number }
  /** Grafana could not connect (502 or 504, without a cause). `failure` comes from its alerting API. */
  | { kind: 'no-connection'; failure?: ConnectFailure }
  /** No response within this time. */
  | { kind: 'timeout'; afterMs: number }
  /** The bridge returned a problem response. */
  | { kind: 'problem'; status: number; detail: string }
  /** Grafana rejected the request. */
  | { kind: 'grafana'; status: number; message: string }
  /** Another service responded, or a bridge of another version. */
  | { kind: 'foreign'; version?: string };

export interface Evidence {
  host: string;
  port: number;
  /** Whether a token is configured in Grafana. */
  tokenSet: boolean;
  /** Version of the plugin. */
  version: string;
  reply: Reply;
}
