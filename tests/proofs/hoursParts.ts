/** The parts of the load of a busy node: senders, a monitor, readers, pages, and the operator. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import type { Deleted } from '../../backend-bridge/contract/query.ts';
import { ADMIN_TOKEN } from '../bench/bridge.ts';
import { THREAD_MEMBERS } from './senders.ts';

const CLI = fileURLToPath(new URL('../../backend-bridge/bin/nodebell.mjs', import.meta.url));
const SECOND = 1000;
export const MINUTE = 60 * SECOND;
const SENDERS = 8;
/** Interval of one sender: 5 notifications a second in all. */
const SEND_EVERY = 1.6 * SECOND;
/** Every so many notifications have a key, and are repeated under it. */
const REPEATED = 10;
export const PACKAGES = 40;
const CATEGORIES = 12;
const PRIORITIES = ['low', 'medium', 'high', 'critical'];
const WORDS = 'peer disk sync block slot head fork gas epoch chain memory client update missed behind full'.split(' ');
const STREAMS = 12;
/** One in this many streams does not read. */
const UNREAD = 4;
const PERSONS = 5;

export interface LoadOptions {
  url: string;
  dataDir: string;
  /** UTC milliseconds. */
  clock: () => number;
  /** Factor by which the clock is faster. */
  speed: number;
  end: number;
  /** Retention keeps so many notifications. */
  kept: number;
}

interface Call {
  body?: unknown;
  headers?: Record<string, string>;
  /** Default: 200 */
  allowed?: readonly number[];
}

/** State shared by the parts of the load. */
export interface Shared extends LoadOptions {
  call: (method: string, path: string, call?: Call) => Promise<{ status: number; json: unknown }>;
  count: (name: string, by?: number) => void;
  mistake: (line: string) => void;
  until: (at: number) => Promise<void>;
  /** Runs work at this interval of simulated time; what is late is left out. */
  every: (ms: number, work: (turn: number) => Promise<void>) => Promise<void>;
  isOver: () => boolean;
}

/** All of them, until the time has elapsed. */
export function startParts(shared: Shared): Promise<void>[] {
  return [
    ...Array.from({ length: SENDERS }, (_, sender) => send(shared, sender)),
    read(shared),
    mark(shared),
    remove(shared),
    resolveByHand(shared),
    backUp(shared),
    ...Array.from({ length: STREAMS }, (_, stream) => follow(shared, stream)),
  ];
}

const person = (number: number): Record<string, string> => {
  const name = `person-${number % PERSONS}`;
  return {
    'X-Grafana-Context': JSON.stringify({ OrgID: 1, OrgRole: 'Admin', UserID: 1, UserUID: name, Login: name }),
  };
};

export const words = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => WORDS[(from * 7 + index * (from % 5) + index) % WORDS.length]).join(' ');

/** Threads of {@link THREAD_MEMBERS}: the last one resolves it. */
function send({ call, count, every }: Shared, sender: number): Promise<void> {
  return every(SEND_EVERY, async (turn) => {
    const thread = Math.floor(turn / THREAD_MEMBERS);
    const body = {
      title: `${words(thread, 4)} ${sender}/${turn}`,
      body: words(turn, 20 + (turn % 80)),
      category: `category-${(thread + sender) % CATEGORIES}`,
      dnpName: `package-${(thread * SENDERS + sender) % PACKAGES}.example.eth`,
      priority: PRIORITIES[thread % PRIORITIES.length],
      correlationId: `${sender}-${thread}`,
      status: (turn + 1) % THREAD_MEMBERS === 0 ? 'resolved' : 'triggered',
      isBanner: turn % 50 === 0,
    };
    const isRepeated = turn % REPEATED === 0;
    const headers: Record<string, string> = isRepeated ? { 'Idempotency-Key': `${sender}/${turn}` } : {};
    await call('POST', '/api/v1/notifications', { body, headers, allowed: [201] });
    count('notifications');
    if (isRepeated) {
      // 410: it was deleted meanwhile.
      await call('POST', '/api/v1/notifications', { body, headers, allowed: [200, 410] });
      count('repeats');
    }
  });
}

const READS = [
  '/api/v1/notifications?limit=100',
  '/api/v1/notifications?limit=50&latest=true',
  '/api/v1/notifications?limit=50&category=category-3',
  '/api/v1/notifications?limit=50&q=',
  '/api/v1/notifications/facets',
  '/api/v1/notifications/facets?q=',
  '/api/v1/notifications/unseen',
  '/api/v1/categories',
  '/api/v1/retention',
  '/api/v1/audit',
  '/api/v1/status',
  '/api/v1/chains',
];

function read({ call, count, every }: Shared): Promise<void> {
  return every(MINUTE / 2, async (turn) => {
    for (const path of READS) {
      await call('GET', path.endsWith('q=') ? `${path}${WORDS[turn % WORDS.length]}` : path, { headers: person(turn) });
      count('reads');
    }
  });
}

async function idsOf({ call }: Shared, query: string): Promise<number[]> {
  return ((await call('GET', `/api/v1/notifications?${query}`)).json as Notification[]).map(({ id }) => id);
}

function mark(shared: Shared): Promise<void> {
  const { call, count, every } = shared;
  return every(MINUTE, async (turn) => {
    const headers = person(turn);
    const ids = await idsOf(shared, 'limit=20');
    if (ids.length > 0) {
      await call('PUT', '/api/v1/notifications/seen', { headers, body: { ids, seen: turn % 4 !== 0 } });
    }
    if (turn % 10 === 9) {
      await call('PUT', `/api/v1/notifications/seen?category=category-${turn % CATEGORIES}`, { headers });
    }
    count('marked');
  });
}

/** Half of the deletions are undone. */
function remove(shared: Shared): Promise<void> {
  const { call, count, every } = shared;
  return every(2 * MINUTE, async (turn) => {
    const ids = await idsOf(shared, 'limit=5&status=resolved');
    const deletions = [
      ...(ids.length > 0 ? [{ ids, wholeThreads: true }] : []),
      ...(turn % 15 === 14 ? [{ filter: { category: [`category-${turn % CATEGORIES}`] } }] : []),
    ];
    for (const body of deletions) {
      const { undo } = (await call('POST', '/api/v1/notifications/delete', { body })).json as Deleted;
      count('deletions');
      if (turn % 2 === 0) {
        // Thirty simulated seconds can be over already.
        const { status } = await call('POST', '/api/v1/notifications/restore', {
          body: { undo },
          allowed: [200, 410],
        });
        count(status === 200 ? 'undone' : 'undone too late');
      }
    }
  });
}

function resolveByHand({ call, count, every }: Shared): Promise<void> {
  return every(5 * MINUTE, async (turn) => {
    const body = {
      title: `By hand ${turn}`,
      body: words(turn, 20),
      correlationId: `hand-${turn}`,
      status: 'triggered',
    };
    const sent = await call('POST', '/api/v1/notifications', {
      body: { ...body, category: 'hand', dnpName: 'hand.example.eth' },
      allowed: [201],
    });
    await call('POST', `/api/v1/notifications/${(sent.json as Notification).id}/resolve`, { allowed: [201] });
    count('notifications', 2);
    count('resolved by hand');
  });
}

/** The command of the operator, each hour. */
function backUp({ count, every, dataDir, mistake }: Shared): Promise<void> {
  return every(60 * MINUTE, async () => {
    const child = spawn(process.execPath, [CLI, 'backup', '--to', join(dataDir, 'backups/'), '--keep', '3'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
      env: { ...process.env, NODEBELL_DATA_DIR: dataDir },
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    count('backups');
    if (code !== 0) {
      mistake(`nodebell backup: ${code} ${output.slice(0, 300)}`);
    }
  });
}

/** A page that is opened again and again, with the id of the last event that it has seen. */
async function follow({ url, clock, count, until, isOver, mistake, end }: Shared, stream: number): Promise<void> {
  const doesRead = stream % UNREAD !== 0;
  let lastId: string | undefined;
  for (let turn = 0; !isOver(); turn += 1) {
    const abort = new AbortController();
    const leave = until(Math.min(end, clock() + (1 + ((stream * 7 + turn * 11) % 19)) * MINUTE)).then(() =>
      abort.abort()
    );
    try {
      const response = await fetch(`${url}/api/v1/events`, {
        headers: {
          Authorization: `Bearer ${ADMIN_TOKEN}`,
          ...person(stream),
          ...(lastId !== undefined && { 'Last-Event-ID': lastId }),
        },
        signal: abort.signal,
      });
      if (response.status !== 200) {
        mistake(`GET /api/v1/events: ${response.status}`);
      }
      count('streams');
      const reader = response.body!.getReader();
      while (doesRead) {
        const { done, value } = await reader.read();
        if (done) {
          break;
        }
        const ids = [
          ...Buffer.from(value)
            .toString()
            .matchAll(/^id: ?(\d+)$/gm),
        ];
        lastId = ids.at(-1)?.[1] ?? lastId;
        count('events', ids.length);
      }
    } catch {
      if (!abort.signal.aborted) {
        count('streams cut');
      }
    }
    await leave;
  }
}
