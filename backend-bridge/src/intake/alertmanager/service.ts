/** An Alertmanager inside the bridge: firing alerts and silences. Its API: contract/api/alertmanager.ts. */
import { repeat } from '../../platform/runtime/repeat.ts';
import type { Core } from '../../platform/core/area.ts';
import type { Reasons, SuppressionService } from '../../delivery/suppression/service.ts';
import type { Receive } from '../../inbox/notifications/receive.ts';
import type { OpenAlert } from './openAlert.ts';
import { OpenAlerts } from './openAlerts.ts';
import { Silences } from './silences.ts';

const CHECK_MS = 1000;

export class AlertmanagerService {
  readonly alerts: OpenAlerts;
  readonly silences: Silences;
  readonly #core: Core;
  readonly #suppression: Pick<SuppressionService, 'reasons'>;

  constructor(core: Core, receive: Receive, suppression: Pick<SuppressionService, 'reasons'>) {
    this.#core = core;
    this.#suppression = suppression;
    this.silences = new Silences(core);
    const { isAlone } = core.replica;
    this.alerts = new OpenAlerts({ ...core, receive, isAlone, onRead: () => this.silences.load() });
  }

  /** Reads what other replicas have changed; the first time, everything. */
  sync(): Promise<void> {
    return this.alerts.sync();
  }

  /** Why these alerts are sent to no channel now, besides silences. */
  reasons(alerts: readonly OpenAlert[]): Promise<Reasons[]> {
    return this.#suppression.reasons(alerts.map(({ compared }) => compared));
  }

  /** Checks ends of alerts. @returns stops it */
  lead(): () => void {
    return repeat("check the ends of Alertmanager's alerts", CHECK_MS, () => this.alerts.tick(), this.#core.log);
  }
}
