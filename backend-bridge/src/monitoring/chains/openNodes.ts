/** The nodes of chains. Of several replicas one polls them; the others show what it shares. */
import type { ChainNode, Chains } from '../../../contract/chain.ts';
import { isoTime } from '../../../contract/text.ts';
import type { EventStream } from '../../inbox/events/stream.ts';
import type { Receive } from '../../inbox/notifications/receive.ts';
import type { Core } from '../../platform/core/area.ts';
import type { SharedReader } from '../../platform/replicas/sharedState.ts';
import { repeat } from '../../platform/runtime/repeat.ts';
import { createChangeFeed } from './present.ts';
import { type ChainsDeps, createChains } from './service.ts';
import type { ChainStore } from './store.ts';
import { keepSynced } from './writes.ts';

/** Interval of a follower's checks for changed nodes while a client is connected. Milliseconds. */
const FOLLOW_MS = 1000;

export interface NodesDeps
  extends Core, Pick<ChainsDeps, 'domain' | 'outboundTo' | 'overrides' | 'hasOverrides' | 'reportedElsewhere'> {
  store: ChainStore;
  receive: Receive;
  stream: EventStream;
}

export function openNodes(deps: NodesDeps) {
  const { replica, now } = deps;
  let leading: ReturnType<typeof createChains> | undefined;
  const shared = replica.reader<ChainNode>('chains');
  const following = shared && followNodes(deps, shared, () => leading === undefined);
  return {
    /** The nodes that this replica polls. */
    nodes: () => leading?.nodes() ?? [],
    sync: () => void leading?.sync(),
    async snapshot(): Promise<Chains> {
      const nodes = leading ? undefined : await shared?.read();
      // It may have begun to lead meanwhile.
      return leading?.snapshot() ?? { now: isoTime(now()), nodes: [...(nodes?.values() ?? [])] };
    },
    /** Polls nodes, until the function that it returns is called. */
    lead(term: number) {
      const begun = (leading = pollNodes(deps, term));
      return async () => {
        leading = undefined;
        await begun.close();
      };
    },
    close: () => following?.(),
  };
}

function pollNodes(deps: NodesDeps, term: number): ReturnType<typeof createChains> {
  const { replica, stream, writes } = deps;
  const shared = replica.writer('chains', term);
  return createChains({
    ...deps,
    ...deps.store,
    async receive(incoming) {
      if (replica.leadership.term() !== term) {
        throw new Error('This replica no longer leads: the one that does sends the alerts of nodes.');
      }
      return deps.receive(incoming);
    },
    keepSynced: (node) => writes.submit(keepSynced, node),
    publish: (event) => stream.publishPassing('chain', event),
    listening: () => stream.clients > 0,
    share:
      shared &&
      ((changed) => {
        changed.forEach(([dnpName, node]) => shared.set(dnpName, node));
        void shared.flush();
      }),
  });
}

/** Sends the changes of nodes that another replica polls to the clients of this one. @returns stops it */
function followNodes(
  { stream, now, log }: NodesDeps,
  shared: SharedReader<ChainNode>,
  isFollowing: () => boolean
): () => void {
  let known: ReadonlyMap<string, ChainNode> = new Map();
  const listening = () => stream.clients > 0 && isFollowing();
  const changes = createChangeFeed(
    { publish: (event) => stream.publishPassing('chain', event), listening, now },
    (dnpName) => known.get(dnpName)
  );
  const follow = async (): Promise<void> => {
    if (!listening()) {
      return;
    }
    const before = known;
    known = await shared.read();
    for (const name of new Set([...before.keys(), ...known.keys()])) {
      if (known.get(name) !== before.get(name)) {
        changes.add(name);
      }
    }
  };
  const stop = repeat('read the nodes that the leader polls', FOLLOW_MS, follow, log);
  return () => {
    stop();
    changes.close();
  };
}
