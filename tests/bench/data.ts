/** A store larger than in any real installation, filled by the code that receives notifications. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { PRIORITIES } from '../../backend-bridge/contract/notification.ts';
import type { Incoming } from '../../backend-bridge/src/inbox/notifications/receive.ts';
import { receiveRows } from '../../backend-bridge/src/inbox/notifications/receiveRows.ts';
import { matching } from '../../backend-bridge/src/inbox/notifications/select.ts';
import { mark } from '../../backend-bridge/src/inbox/notifications/writes.ts';
import { databasePath } from '../../backend-bridge/src/platform/storage/sqlite/database.ts';
import { isServer, migrate, openDatabase } from '../../backend-bridge/src/platform/database.ts';
import { indexText } from '../../backend-bridge/src/platform/storage/textIndex.ts';

const DAY = 86_400_000;
const DAYS = 90;
const BATCH = 2000;
const CATEGORIES = ['system', 'ethereum', 'gnosis', 'hardware', 'hoodi', 'lukso', 'sepolia', 'other'];
const PACKAGES = 40;
const TEMPLATES = 3;
const VOCABULARY = 400;
/** Words from syllables are distinct, but share prefixes as real ones do. */
const SYLLABLES = 'val dis blo pe syn ten mem tem net cli up res ca bea for ep slo wal pro ra'.split(' ');

/** A reproducible stream of numbers in [0, 1): mulberry32. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Each package repeats a few texts with different numbers, as real senders do. */
function makeTemplates(): { title: string; body: string }[][] {
  const next = numbers(2);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const words = [
    'validator',
    'disk',
    'peer',
    'sync',
    ...Array.from({ length: VOCABULARY }, () => pick(SYLLABLES) + pick(SYLLABLES) + pick(SYLLABLES)),
  ];
  const text = (count: number): string => Array.from({ length: count }, () => pick(words)).join(' ');
  const common = 'disk peer sync';
  return Array.from({ length: PACKAGES }, () =>
    Array.from({ length: TEMPLATES }, () => ({ title: text(5), body: `${common} ${text(40)}` }))
  );
}
const PACKAGE_TEMPLATES = makeTemplates();

const INSTANCES = 200;
const RULES = 20;
const SEVERITIES = ['info', 'warning', 'warning', 'critical'];

/** Labels of half of the notifications: 4,000 series, and a few of a release that is no longer sent. */
function labelsOf(index: number, count: number): Record<string, string> {
  const [instance, rule] = [index % INSTANCES, Math.floor(index / INSTANCES) % RULES];
  return {
    alertname: `Rule${rule}`,
    instance: `node${instance}.example:9100`,
    job: `job${instance % 5}`,
    severity: SEVERITIES[rule % SEVERITIES.length]!,
    team: `team${instance % 7}`,
    ...(index < count / 100 && { release: `${instance % 3}.0` }),
  };
}

function notification(next: () => number, index: number, count: number): Incoming {
  const rank = next();
  const correlated = next() < 0.3;
  const from = Math.floor(next() * PACKAGES);
  const template = PACKAGE_TEMPLATES[from]![Math.floor(next() * TEMPLATES)]!;
  return {
    source: 'api',
    payload: {
      title: `${template.title} ${index % 5000 === 0 ? 'zanzibar' : Math.floor(next() * 100)}`,
      body: `${template.body} ${Math.floor(next() * 1_000_000)}`,
      // A package sends notifications of one kind, as real ones do.
      category: CATEGORIES[from % CATEGORIES.length]!,
      dnpName: `package-${from}.dnp.dappnode.eth`,
      priority: PRIORITIES[rank < 0.6 ? 0 : rank < 0.85 ? 1 : rank < 0.97 ? 2 : 3],
      ...(correlated && {
        correlationId: `thread-${Math.floor(next() * 2000)}`,
        status: next() < 0.9 ? ('resolved' as const) : ('triggered' as const),
      }),
      isBanner: next() < 0.005,
      ...(index % 2 === 0 && { labels: labelsOf(index / 2, count / 2) }),
      ...(next() < 0.01 && { errors: 'lookup failed' }),
    },
  };
}

/** Determines the contents of a filled store: another version creates another store. */
const FILLED_BY = [
  'platform/storage/migrations/0001/inbox.ts',
  'platform/storage/migrations/0003.ts',
  'inbox/notifications/counts.ts',
];

function version(): string {
  const root = join(dirname(fileURLToPath(import.meta.url)), '../../backend-bridge/src');
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)));
  FILLED_BY.forEach((file) => hash.update(readFileSync(join(root, file))));
  return hash.digest('hex').slice(0, 12);
}

/**
 * A data directory that holds `count` notifications over 90 days, all but the last three days seen. Kept for the next run.
 */
export async function filledDataDir(count: number): Promise<string> {
  const cache = join(tmpdir(), 'nodebell-bench-store');
  const dir = join(cache, `${count}-${version()}`);
  if (existsSync(dir)) {
    return dir;
  }
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  process.stderr.write(`filling a store with ${count} notifications …\n`);
  const making = `${dir}.part`;
  await fill(databasePath(making), count);
  renameSync(making, dir);
  return dir;
}

/**
 * Stores so many notifications over 90 days, all but those of the last three days seen.
 * @param address of an empty database
 */
export async function fill(address: string, count: number): Promise<void> {
  const db = openDatabase(address, { cacheMb: 256 });
  await migrate(db);
  const next = numbers(1);
  const end = Date.now();
  for (let start = 0; start < count; start += BATCH) {
    const requests = Array.from({ length: Math.min(BATCH, count - start) }, (_, offset) => ({
      now: Math.floor(end - DAYS * DAY + ((start + offset) / count) * DAYS * DAY),
      incoming: [notification(next, start + offset, count)],
    }));
    await db.transaction().execute((trx) => receiveRows(trx, requests));
  }
  for (let more = true; more;) {
    more = (await db.transaction().execute((trx) => indexText(trx, null))).result.more;
  }
  const filter = { to: end - 3 * DAY, seen: false };
  for (let more = true; more;) {
    const found = await matching(db, { filter, now: end, limit: 20_000 });
    const ids = found.map(({ id }) => id);
    await db.transaction().execute((trx) => mark(trx, { ids, seen: true, now: end }));
    more = ids.length > 0;
  }
  if (isServer(address)) {
    // After ninety days in minutes, autovacuum would run during the measurement.
    await sql`vacuum analyze`.execute(db);
  }
  await db.destroy();
}
