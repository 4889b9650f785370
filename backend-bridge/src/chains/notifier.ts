/** Hands the bridge's own notifications about nodes to the inbox: each once when it begins to hold, and once when it is over. */
import type { ChainLimits } from '../../contract/chain.ts';
import { CHAIN_ENDPOINT_IDS } from '../../contract/chainEndpoints.ts';
import type { NotificationPayload } from '../../contract/notification.ts';
import { goodbyeOf, type NoticeKind, noticeOf, wantedNotices } from './notices.ts';
import { nodeName } from './present.ts';
import type { ChainsDeps } from './service.ts';
import type { ChainSource } from './sources.ts';
import type { NodeMemory } from './state.ts';

/** A thread that is open. */
export interface OpenNotice {
  dnpName: string;
  correlationId: string;
  /** Whether its newest notification is the bridge's own; else a monitor sent it, or the package. */
  byBridge: boolean;
}

export interface Notifier {
  /** At the first time: what is open from before the bridge was started, so that it is ended when it is over. */
  learn(): Promise<void>;
  /** Says what there is to say. Never rejects: what the store cannot take is tried again at the next answer. */
  look(source: ChainSource, memory: NodeMemory): Promise<void>;
  /** Of a node that is no longer watched. */
  forget(source: ChainSource, memory: NodeMemory): Promise<void>;
  /** Ends what is open of packages that are not among these: they went while the bridge was stopped, or lost their address. */
  forgetOthers(asked: ReadonlySet<string>): Promise<void>;
}

const KINDS = Object.keys(CHAIN_ENDPOINT_IDS) as (keyof ChainLimits)[];

export function createNotifier({
  receive,
  openNotices,
  toldElsewhere = () => false,
  now,
  log,
}: Pick<ChainsDeps, 'receive' | 'openNotices' | 'toldElsewhere' | 'now' | 'log'>): Notifier {
  /** What the bridge has said itself. */
  const raised = new Set<string>();
  /** What somebody else has said, or may have said: not said a second time while it is open. */
  const adopted = new Set<string>();
  let learnt = false;
  const keyOf = (dnpName: string, kind: NoticeKind): string => `${CHAIN_ENDPOINT_IDS[kind]} ${dnpName}`;

  const known = (): { dnpName: string; kind: NoticeKind }[] =>
    [...raised, ...adopted].flatMap((key) => {
      const [id, dnpName = ''] = key.split(' ');
      return KINDS.filter((kind) => CHAIN_ENDPOINT_IDS[kind] === id).map((kind) => ({ dnpName, kind }));
    });

  const send = (payload: NotificationPayload | undefined): Promise<unknown> =>
    payload === undefined ? Promise.resolve() : receive([{ payload, source: 'bridge' }]);

  /** An admin may have closed or deleted it meanwhile: then there is nothing to end. */
  const isOpen = async (dnpName: string, kind: NoticeKind): Promise<boolean> => {
    const correlationId = CHAIN_ENDPOINT_IDS[kind];
    return (await openNotices()).some((one) => one.dnpName === dnpName && one.correlationId === correlationId);
  };

  const end = async (dnpName: string, kind: NoticeKind, payload: NotificationPayload | undefined): Promise<void> => {
    if (await isOpen(dnpName, kind)) {
      await send(payload);
    }
    raised.delete(keyOf(dnpName, kind));
    adopted.delete(keyOf(dnpName, kind));
  };

  const guarded = (work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) => log.error({ err: error }, 'a notification about a node could not be stored'));

  return {
    async learn() {
      if (!learnt) {
        const open = await openNotices();
        open.forEach(({ dnpName, correlationId, byBridge }) =>
          (byBridge ? raised : adopted).add(`${correlationId} ${dnpName}`)
        );
        learnt = true;
      }
    },
    look: (source, memory) =>
      guarded(async () => {
        const { pkg, limits } = source;
        const wanted = wantedNotices(memory, limits, now());
        for (const kind of KINDS) {
          const key = keyOf(pkg.dnpName, kind);
          const elsewhere = toldElsewhere(pkg.dnpName, CHAIN_ENDPOINT_IDS[kind]);
          const node = { dnpName: pkg.dnpName, driver: pkg.chain.driver, name: nodeName(source, memory) };
          if (elsewhere) {
            adopted.add(key);
          }
          if (wanted[kind] === 'raise' && !elsewhere && !raised.has(key)) {
            if (!adopted.has(key) || !(await isOpen(pkg.dnpName, kind))) {
              await send(noticeOf(node, kind, 'triggered', memory, limits));
              raised.add(key);
              adopted.delete(key);
            }
          } else if (wanted[kind] === 'clear' && (raised.has(key) || (adopted.has(key) && !elsewhere))) {
            await end(pkg.dnpName, kind, noticeOf(node, kind, 'resolved', memory, limits));
          }
        }
      }),
    forget: (source, memory) =>
      guarded(async () => {
        const { dnpName, chain } = source.pkg;
        const isOurs = (key: string): boolean => raised.has(key) || adopted.has(key);
        for (const kind of KINDS.filter((one) => isOurs(keyOf(dnpName, one)))) {
          const node = { dnpName, driver: chain.driver, name: nodeName(source, memory) };
          // Also what a rule has told: that its end comes once the rule is deleted is not sure.
          await end(dnpName, kind, goodbyeOf(node, kind));
        }
      }),
    forgetOthers: (asked) =>
      guarded(async () => {
        for (const { dnpName, kind } of known()) {
          if (!asked.has(dnpName)) {
            // Which chain it was nobody knows any more; what is told of is the same for all.
            await end(dnpName, kind, goodbyeOf({ dnpName, driver: 'ethereum', name: dnpName }, kind));
          }
        }
      }),
  };
}
