/** Sends the bridge's own notifications about nodes to the inbox: one when an alert fires, one when it resolves. */
import type { ChainLimits } from '../../../contract/chain.ts';
import { CHAIN_ENDPOINT_IDS } from '../../../contract/chainEndpoints.ts';
import type { NotificationPayload } from '../../../contract/notification.ts';
import type { Incoming } from '../../inbox/notifications/receive.ts';
import { type AlertKind, alertOf, removalAlertOf, wantedAlerts } from './alerts.ts';
import { nodeName } from './present.ts';
import type { ChainSource } from './sources.ts';
import type { NodeState } from './nodeState.ts';
import type { ChainStore } from './store.ts';

export interface NotifierDeps extends Pick<ChainStore, 'openAlerts'> {
  receive: (incoming: Incoming[]) => Promise<unknown>;
  /** Whether a monitor reports this alert, so that the bridge does not. Default: none does. */
  reportedElsewhere?: ((dnpName: string, correlationId: string) => boolean) | undefined;
  /** The bridge's own clock. */
  steady: () => number;
  log: { error(fields: object, message: string): void };
}

const KINDS = Object.keys(CHAIN_ENDPOINT_IDS) as (keyof ChainLimits)[];

const keyOf = (dnpName: string, kind: AlertKind): string => `${CHAIN_ENDPOINT_IDS[kind]} ${dnpName}`;

/** The bridge's own alerts about nodes. Never rejects after `load()`: a failed write is logged and retried after the next poll. */
export class Notifier {
  readonly #deps: NotifierDeps;
  /** Alerts that the bridge has sent. */
  readonly #sent = new Set<string>();
  /** Alerts that a monitor or the package has sent, or may have sent: not sent again while they are open. */
  readonly #adopted = new Set<string>();
  #loaded = false;

  constructor(deps: NotifierDeps) {
    this.#deps = deps;
  }

  /** On the first call: reads the alerts that were open before the bridge started, so that they can be resolved. */
  async load(): Promise<void> {
    if (!this.#loaded) {
      const open = await this.#deps.openAlerts();
      open.forEach(({ dnpName, correlationId, byBridge }) =>
        (byBridge ? this.#sent : this.#adopted).add(`${correlationId} ${dnpName}`)
      );
      this.#loaded = true;
    }
  }

  /** Sends what has changed. */
  async update(source: ChainSource, nodeState: NodeState): Promise<void> {
    await this.#guarded(async () => {
      const wanted = wantedAlerts(nodeState, source.limits, this.#deps.steady());
      for (const kind of KINDS) {
        await this.#updateAlert(source, nodeState, kind, wanted[kind]);
      }
    });
  }

  /** Resolves the alerts of a node that is no longer monitored. */
  async remove(source: ChainSource, nodeState: NodeState): Promise<void> {
    const { dnpName } = source.pkg;
    await this.#guarded(async () => {
      for (const kind of KINDS.filter((one) => this.#isKnown(keyOf(dnpName, one)))) {
        // Alerts of a monitor as well: once its rule is deleted, a resolved notification may never come.
        await this.#resolve(dnpName, kind, removalAlertOf({ dnpName, name: nodeName(source, nodeState) }, kind));
      }
    });
  }

  /** Resolves the alerts of all other packages: removed while the bridge was stopped, or without an address now. */
  async removeOthers(polled: ReadonlySet<string>): Promise<void> {
    await this.#guarded(async () => {
      const names = new Set([...this.#sent, ...this.#adopted].map((key) => key.split(' ')[1] ?? ''));
      for (const dnpName of [...names].filter((name) => !polled.has(name))) {
        for (const kind of KINDS.filter((one) => this.#isKnown(keyOf(dnpName, one)))) {
          await this.#resolve(dnpName, kind, removalAlertOf({ dnpName, name: dnpName }, kind));
        }
      }
    });
  }

  async #updateAlert(
    source: ChainSource,
    nodeState: NodeState,
    kind: AlertKind,
    wanted: ReturnType<typeof wantedAlerts>[AlertKind]
  ): Promise<void> {
    const { pkg, limits } = source;
    const { dnpName } = pkg;
    const key = keyOf(dnpName, kind);
    const id = CHAIN_ENDPOINT_IDS[kind];
    const elsewhere = pkg.own.includes(id) || this.#deps.reportedElsewhere?.(dnpName, id) === true;
    const node = { dnpName, name: nodeName(source, nodeState) };
    if (elsewhere) {
      this.#adopted.add(key);
    }
    if (wanted === 'fire' && !elsewhere && !this.#sent.has(key)) {
      if (!this.#adopted.has(key) || !(await this.#isOpen(dnpName, kind))) {
        await this.#send(alertOf(node, kind, 'triggered', nodeState, limits));
        this.#sent.add(key);
        this.#adopted.delete(key);
      }
    } else if (wanted === 'resolve' && (this.#sent.has(key) || (this.#adopted.has(key) && !elsewhere))) {
      await this.#resolve(dnpName, kind, alertOf(node, kind, 'resolved', nodeState, limits));
    }
  }

  #isKnown(key: string): boolean {
    return this.#sent.has(key) || this.#adopted.has(key);
  }

  /** An admin may have resolved or deleted it in the meantime: then there is nothing to resolve. */
  async #isOpen(dnpName: string, kind: AlertKind): Promise<boolean> {
    const correlationId = CHAIN_ENDPOINT_IDS[kind];
    const open = await this.#deps.openAlerts();
    return open.some((one) => one.dnpName === dnpName && one.correlationId === correlationId);
  }

  async #resolve(dnpName: string, kind: AlertKind, payload: NotificationPayload): Promise<void> {
    if (await this.#isOpen(dnpName, kind)) {
      await this.#send(payload);
    }
    this.#sent.delete(keyOf(dnpName, kind));
    this.#adopted.delete(keyOf(dnpName, kind));
  }

  async #send(payload: NotificationPayload): Promise<void> {
    await this.#deps.receive([{ payload, source: 'bridge' }]);
  }

  #guarded(work: () => Promise<void>): Promise<void> {
    return work().catch((error: unknown) =>
      this.#deps.log.error({ err: error }, 'could not store a notification about a node')
    );
  }
}
