/** An Alertmanager inside the bridge: firing alerts and silences. Its API: contract/api/alertmanager.ts. */
import { repeat } from '../../platform/runtime/repeat.ts';
import type { Core } from '../../platform/core/area.ts';
import { type SuppressedBy, suppressedThreads } from '../../delivery/suppression/store.ts';
import type { Receive } from '../../inbox/notifications/receive.ts';
import { OpenAlerts } from './openAlerts.ts';
import { Silences } from './silences.ts';

const CHECK_MS = 1000;

export class AlertmanagerService {
  readonly alerts: OpenAlerts;
  readonly silences: Silences;
  readonly #core: Core;

  constructor(core: Core, receive: Receive) {
    this.#core = core;
    this.silences = new Silences(core);
    const { isAlone } = core.replica;
    this.alerts = new OpenAlerts({ ...core, receive, isAlone, onRead: () => this.silences.load() });
  }

  /** Reads what other replicas have changed; the first time, everything. */
  sync(): Promise<void> {
    return this.alerts.sync();
  }

  /** Inhibitors and maintenance windows of alerts, by `correlationId`. */
  suppressed(): Promise<ReadonlyMap<string, SuppressedBy>> {
    return suppressedThreads(this.#core.db);
  }

  /** Checks ends of alerts. @returns stops it */
  lead(): () => void {
    return repeat("check the ends of Alertmanager's alerts", CHECK_MS, () => this.alerts.tick(), this.#core.log);
  }
}
