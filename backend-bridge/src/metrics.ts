/** Prometheus metrics of the bridge itself. */
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { chainMetrics } from './monitoring/chains/metrics.ts';
import type { ChainService } from './monitoring/chains/service.ts';
import type { Channels } from './delivery/channels/service.ts';
import type { Heartbeats } from './intake/heartbeats/service.ts';
import type { EventStream } from './inbox/events/stream.ts';
import type { Incoming, Received } from './inbox/notifications/receive.ts';
import { openThreadMetrics } from './inbox/notifications/openThreads.ts';
import type { NotificationStore } from './inbox/notifications/store.ts';
import { LIMITS } from '../contract/limits.ts';
import { PAYLOAD_MEMBERS } from '../contract/notification.ts';
import { STORE_FAILURES } from '../contract/status.ts';
import type { RetentionFigures } from './inbox/retention/service.ts';
import { databaseBytes } from './platform/storage/bulk.ts';
import type { Database } from './platform/storage/engine.ts';
import { ifReadable } from './platform/storage/storeError.ts';
import type { StoreState } from './platform/storage/storeState.ts';
import type { WriteQueue } from './platform/storage/writeQueue.ts';

export interface MetricsDeps {
  writes: Pick<WriteQueue, 'waiting' | 'waitingBytes'>;
  state: Pick<StoreState, 'failure' | 'has'>;
  stream: Pick<EventStream, 'clients' | 'unread'>;
  store: Pick<NotificationStore, 'unseen'>;
  db: Database;
  /** Whether this replica leads. */
  leads: () => boolean;
  retention: RetentionFigures;
  channels: Pick<Channels, 'register'>;
  heartbeats: Pick<Heartbeats, 'register'>;
  chains: ChainService['nodes'];
  /** They were read: rules in monitors have something to look at. */
  onRead?: () => void;
  /** UTC milliseconds. */
  now: () => number;
  /** The bridge's own clock. */
  steady: () => number;
}

/** Names of members are the sender's: those that no payload has are counted together. */
const OTHER = 'other';

/** Nodes come and go: beyond as many as are known at a time, they are counted together until the next start. */
function nodeMetrics(registry: Registry): { received(node: string): void } {
  const counted = new Set<string>();
  const counter = new Counter({
    name: 'nodebell_node_notifications_received_total',
    help: 'Notifications stored, by the node that they come from.',
    labelNames: ['node'],
    registers: [registry],
  });
  return {
    received(name) {
      const node = counted.has(name) || counted.size < LIMITS.nodes.value ? name : OTHER;
      counted.add(node);
      counter.inc({ node });
    },
  };
}

/** Counts notifications as they are received. */
function receivedMetrics(registry: Registry) {
  const received = new Counter({
    name: 'nodebell_notifications_received_total',
    help: 'Notifications received, by source and by what became of them.',
    labelNames: ['source', 'outcome'],
    registers: [registry],
  });
  const ignoredMembers = new Counter({
    name: 'nodebell_notifications_ignored_members_total',
    help: 'Members of stored notifications that were changed or left out, by member.',
    labelNames: ['member'],
    registers: [registry],
  });
  const nodes = nodeMetrics(registry);
  [...PAYLOAD_MEMBERS, OTHER].forEach((member) => ignoredMembers.inc({ member }, 0));
  return (
    { source, ignored = [] }: Pick<Incoming, 'source' | 'ignored'>,
    { outcome, notification }: Received
  ): void => {
    received.inc({ source, outcome });
    if (outcome === 'stored' && notification.node !== undefined) {
      nodes.received(notification.node);
    }
    for (const { pointer } of outcome === 'stored' ? ignored : []) {
      const member = pointer.split('/', 2)[1] ?? OTHER;
      ignoredMembers.inc({ member: PAYLOAD_MEMBERS.has(member) ? member : OTHER });
    }
  };
}

type ReadGauge = (deps: MetricsDeps) => number | Promise<number>;

/** Gauges with one value each. */
const GAUGES: readonly (readonly [name: string, help: string, read: ReadGauge])[] = [
  ['nodebell_writes_waiting', 'Writes that wait for the disk.', ({ writes }) => writes.waiting],
  ['nodebell_writes_waiting_bytes', 'Size of the writes that wait for the disk.', ({ writes }) => writes.waitingBytes],
  [
    'nodebell_store_writable',
    '1 while the store can be written.',
    ({ state }) => (state.failure === undefined ? 1 : 0),
  ],
  [
    'nodebell_leader',
    '1 while this replica leads: polls nodes, configures monitors, provisions.',
    ({ leads }) => (leads() ? 1 : 0),
  ],
  ['nodebell_event_clients', 'Open event streams.', ({ stream }) => stream.clients],
  ['nodebell_event_unread_bytes', 'Events that open streams have not read yet.', ({ stream }) => stream.unread],
  [
    'nodebell_notifications_unseen',
    'Notifications that nobody has seen.',
    async ({ store }) => (await store.unseen()).unseenCount,
  ],
  ['nodebell_database_bytes', 'Size of the database.', ({ db }) => databaseBytes(db)],
  [
    'nodebell_database_free_bytes',
    'Part of the database that is free for new rows.',
    ({ retention }) => retention.databaseFree(),
  ],
  ['nodebell_notifications', 'Stored notifications.', ({ retention }) => retention.notifications()],
  [
    'nodebell_archive_bytes',
    'Size of the archive files.',
    // Its folder may be unreadable.
    ({ retention }) => retention.archiveBytes().catch(() => NaN),
  ],
  [
    'nodebell_retention_failed',
    '1 while retention cannot remove notifications.',
    ({ retention }) => (retention.failed() ? 1 : 0),
  ],
];

/** Metrics of the store that are more than one value, or not always known. */
function storeMetrics(registry: Registry, { state, retention }: MetricsDeps): void {
  const registers = [registry];
  new Gauge({
    name: 'nodebell_store_failure',
    help: '1 while the store cannot be written for this reason.',
    labelNames: ['reason'],
    registers,
    collect() {
      STORE_FAILURES.forEach((reason) => this.set({ reason }, state.has(reason) ? 1 : 0));
    },
  });
  new Gauge({
    name: 'nodebell_disk_free_bytes',
    help: 'Free space on the disk of the database, where it is known.',
    registers,
    collect() {
      const free = retention.diskFree();
      if (free === undefined) {
        this.reset();
      } else {
        this.set(free);
      }
    },
  });
  new Counter({
    name: 'nodebell_retention_removed_total',
    help: 'Notifications that retention has removed.',
    registers,
    collect() {
      this.reset();
      this.inc(retention.removed());
    },
  });
}

export function createMetrics(deps: MetricsDeps) {
  const registry = new Registry();
  // The default of 10 ms wakes an idle process 100 times a second.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const received = receivedMetrics(registry);
  for (const [name, help, read] of GAUGES) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        // The other metrics are still exported while the database cannot be read.
        this.set(await ifReadable(async () => read(deps), NaN));
      },
    });
  }
  storeMetrics(registry, deps);
  openThreadMetrics(registry, deps.db, deps.now);
  chainMetrics(registry, deps.chains, deps.steady);
  deps.channels.register(registry);
  deps.heartbeats.register(registry);
  return {
    received,
    /** The text exposition format and its content type. */
    async render(): Promise<{ contentType: string; text: string }> {
      deps.onRead?.();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
