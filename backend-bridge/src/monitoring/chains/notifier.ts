/** Sends the bridge's own notifications about nodes to the inbox: one when an alert fires, one when it resolves. */
import type { ChainLimits } from '../../../contract/chain.ts';
import { CHAIN_ENDPOINT_IDS } from '../../../contract/chainEndpoints.ts';
import type { NotificationPayload } from '../../../contract/notification.ts';
import type { Incoming } from '../../inbox/notifications/receive.ts';
import { type AlertKind, alertOf, removalAlertOf, wantedAlerts } from './alerts.ts';
import { nodeName } from './present.ts';
import type { ChainSource } from './sources.ts';
import type { NodeState } from './state.ts';
import type { ChainStore } from './store.ts';

export interface Notifier {
  /** On the first call: reads the alerts that were open before the bridge started, so that they can be resolved. */
  load(): Promise<void>;
  /** Sends what has changed. Never rejects: a failed write is logged and retried after the next poll. */
  update(source: ChainSource, nodeState: NodeState): Promise<void>;
  /** Resolves the alerts of a node that is no longer monitored. */
  remove(source: ChainSource, nodeState: NodeState): Promise<void>;
  /** Resolves the alerts of all other packages: removed while the bridge was stopped, or without an address now. */
  removeOthers(polled: ReadonlySet<string>): Promise<void>;
}

export interface NotifierDeps extends Pick<ChainStore, 'openAlerts'> {
  receive: (incoming: Incoming[]) => Promise<unknown>;
  /** Whether a monitor reports this alert, so that the bridge does not. Default: none does. */
  reportedElsewhere?: ((dnpName: string, correlationId: string) => boolean) | undefined;
  /** UTC milliseconds. */
  now: () => number;
  log: { error(fields: object, message: string): void };
}

const KINDS = Object.keys(CHAIN_ENDPOINT_IDS) as (keyof ChainLimits)[];

export function createNotifier({
  receive,
  openAlerts,
  reportedElsewhere = () => false,
  now,
  log,
}: NotifierDeps): Notifier {
  /** Alerts that the bridge has sent. */
  const sent = new Set<string>();
  /** Alerts that a monitor or the package has sent, or may have sent: not sent again while they are open. */
  const adopted = new Set<string>();
  let loaded = false;
  const keyOf = (dnpName: string, kind: AlertKind): string => `${CHAIN_ENDPOINT_IDS[kind]} ${dnpName}`;

  const known = (): { dnpName: string; kind: AlertKind }[] =>
    [...sent, ...adopted].flatMap((key) => {
      const [id, dnpName = ''] = key.split(' ');
      return KINDS.filter((kind) => CHAIN_ENDPOINT_IDS[kind] === id).map((kind) => ({ dnpName, kind }));
    });

  const send = (payload: NotificationPayload): Promise<unknown> => receive([{ payload, source: 'bridge' }]);

  /** An admin may have resolved or deleted it in the meantime: then there is nothing to resolve. */
  const isOpen = async (dnpName: string, kind: AlertKind): Promise<boolean> => {
    const correlationId = CHAIN_ENDPOINT_IDS[kind];
    return (await openAlerts()).some((one) => one.dnpName === dnpName && one.correlationId === correlationId);
  };

  const resolve = async (dnpName: string, kind: AlertKind, payload: NotificationPayload): Promise<void> => {
    if (await isOpen(dnpName, kind)) {
      await send(payload);
    }
    sent.delete(keyOf(dnpName, kind));
    adopted.delete(keyOf(dnpName, kind));
  };

  const guarded = (work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) => log.error({ err: error }, 'could not store a notification about a node'));

  return {
    async load() {
      if (!loaded) {
        const open = await openAlerts();
        open.forEach(({ dnpName, correlationId, byBridge }) =>
          (byBridge ? sent : adopted).add(`${correlationId} ${dnpName}`)
        );
        loaded = true;
      }
    },
    update: (source, nodeState) =>
      guarded(async () => {
        const { pkg, limits } = source;
        const wanted = wantedAlerts(nodeState, limits, now());
        for (const kind of KINDS) {
          const key = keyOf(pkg.dnpName, kind);
          const elsewhere = reportedElsewhere(pkg.dnpName, CHAIN_ENDPOINT_IDS[kind]);
          const node = { dnpName: pkg.dnpName, name: nodeName(source, nodeState) };
          if (elsewhere) {
            adopted.add(key);
          }
          if (wanted[kind] === 'fire' && !elsewhere && !sent.has(key)) {
            if (!adopted.has(key) || !(await isOpen(pkg.dnpName, kind))) {
              await send(alertOf(node, kind, 'triggered', nodeState, limits));
              sent.add(key);
              adopted.delete(key);
            }
          } else if (wanted[kind] === 'resolve' && (sent.has(key) || (adopted.has(key) && !elsewhere))) {
            await resolve(pkg.dnpName, kind, alertOf(node, kind, 'resolved', nodeState, limits));
          }
        }
      }),
    remove: (source, nodeState) =>
      guarded(async () => {
        const { dnpName } = source.pkg;
        const isKnown = (key: string): boolean => sent.has(key) || adopted.has(key);
        for (const kind of KINDS.filter((one) => isKnown(keyOf(dnpName, one)))) {
          // Alerts of a monitor as well: once its rule is deleted, a resolved notification may never come.
          await resolve(dnpName, kind, removalAlertOf({ dnpName, name: nodeName(source, nodeState) }, kind));
        }
      }),
    removeOthers: (polled) =>
      guarded(async () => {
        for (const { dnpName, kind } of known().filter((one) => !polled.has(one.dnpName))) {
          await resolve(dnpName, kind, removalAlertOf({ dnpName, name: dnpName }, kind));
        }
      }),
  };
}
