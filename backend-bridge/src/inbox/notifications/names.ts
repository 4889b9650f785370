/**
 * Limits of new categories, packages and nodes per sender, and of names that belong to another. No alert is lost for it: a category is
 * stored as `other`, a package as `unknown`, and a node as none, with what was sent kept beside it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { LIMITS } from '../../../contract/limits.ts';
import { DEFAULTS, type IgnoredMember, OWN_PACKAGE } from '../../../contract/notification.ts';
import { show } from '../../../contract/text.ts';
import { DAY_MS } from '../../../contract/time.ts';
import type { Claim, Claimant, NameOwners } from '../../platform/access/nameOwners.ts';
import { eachOf, inPairs } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { EVER, NOTIFICATIONS } from './counts.ts';
import { hasMembers } from './rows.ts';
import { shortName } from './fit.ts';
import type { Incoming } from './receive.ts';

export interface Admitted {
  item: Incoming;
  /** Difference between the stored and the sent name. */
  note?: string;
}

/** @returns each as it may be stored, in the order given */
export type AdmitNames = (incoming: readonly Incoming[], now: number) => Promise<Admitted[]>;

type Kind = 'category' | 'package' | 'node';

interface KindRule {
  /** Condition on a name in the column `value`: it is stored, or an admin has named it. */
  exists: RawBuilder<unknown>;
  /** Number of names, in the column `count`. */
  count: RawBuilder<unknown>;
  perDay: number;
  total: number;
}

const counted = (column: string) => sql`select count(distinct ${sql.ref(column)}) as count
  from counts where scope = ${NOTIFICATIONS} and span = ${EVER} and n > 0`;

const RULES: Record<Kind, KindRule> = {
  category: {
    exists: sql`exists (select 1 from notifications where category = value and muted = 0 and hidden = 0)
      or exists (select 1 from categories where category = value)`,
    count: counted('category'),
    perDay: LIMITS.newCategoriesPerDay.value,
    total: LIMITS.categories.value,
  },
  package: {
    exists: sql`exists (select 1 from threads where dnp_name = value and head_id is not null)
      or exists (select 1 from packages where dnp_name = value)`,
    count: counted('dnp_name'),
    perDay: LIMITS.newPackagesPerDay.value,
    total: LIMITS.packages.value,
  },
  node: {
    exists: sql`exists (select 1 from threads where node = value and node <> '' and head_id is not null)`,
    count: sql`select count(distinct node) as count from threads where node <> '' and head_id is not null`,
    perDay: LIMITS.newNodesPerDay.value,
    total: LIMITS.nodes.value,
  },
};

/** Names of one query; other requests are served in between. */
const STEP = 1000;
/** Time for which the number of all names is cached. Milliseconds. */
const RECOUNT_MS = 60_000;

const keyOf = (kind: Kind, name: string): string => `${kind} ${name}`;

/** The names that exist, and how many new ones each sender has added today; in memory. */
function createNames(db: Database) {
  const known = new LRUCache<string, true>({
    max: LIMITS.categories.value + LIMITS.packages.value + LIMITS.nodes.value,
  });
  const added = new LRUCache<string, { day: number; count: number }>({ max: 2 * LIMITS.rateLimitedSenders.value });
  const totals = new Map<Kind, { count: number; at: number }>();

  const totalOf = async (kind: Kind, now: number): Promise<{ count: number }> => {
    const before = totals.get(kind);
    if (before && Math.abs(now - before.at) < RECOUNT_MS) {
      return before;
    }
    const { rows } = await sql<{ count: number }>`${RULES[kind].count}`.execute(db);
    const total = { count: rows[0]?.count ?? 0, at: now };
    totals.set(kind, total);
    return total;
  };

  return {
    has: (kind: Kind, name: string): boolean => known.has(keyOf(kind, name)),
    /** Finds out which of the names exist. */
    async lookUp(kind: Kind, names: readonly string[]): Promise<void> {
      const unknown = [...new Set(names)].filter((name) => !known.has(keyOf(kind, name)));
      for (let start = 0; start < unknown.length; start += STEP) {
        const some = unknown.slice(start, start + STEP);
        const { rows } = await sql<{
          value: string;
        }>`select value from ${eachOf(some)} where (${RULES[kind].exists})`.execute(db);
        rows.forEach(({ value }) => known.set(keyOf(kind, value), true));
        if (start + STEP < unknown.length) {
          await nextTurn();
        }
      }
    },
    /** Whether the sender may use the name; a new one is counted. */
    async take(kind: Kind, name: string, sender: string, now: number): Promise<boolean> {
      if (known.has(keyOf(kind, name))) {
        return true;
      }
      const total = await totalOf(kind, now);
      const day = Math.floor(now / DAY_MS);
      const before = added.get(`${kind} ${sender}`);
      const today = before?.day === day ? before : { day, count: 0 };
      if (today.count >= RULES[kind].perDay || total.count >= RULES[kind].total) {
        return false;
      }
      today.count += 1;
      total.count += 1;
      added.set(`${kind} ${sender}`, today);
      known.set(keyOf(kind, name), true);
      return true;
    },
  };
}

type Names = ReturnType<typeof createNames>;

/** Selects the open threads among these. */
async function openThreads(db: Database, correlationIds: readonly string[]): Promise<Set<string>> {
  if (correlationIds.length === 0) {
    return new Set();
  }
  const pairs = correlationIds.map((id) => [DEFAULTS.dnpName, id] as const);
  const rows = await db
    .selectFrom('threads')
    .select('correlation_id')
    .where(inPairs('dnp_name', 'correlation_id', pairs))
    .where('state', '=', 'open')
    .where(hasMembers())
    .execute();
  return new Set(rows.map(({ correlation_id }) => correlation_id));
}

/** Returns a name that may be stored. @param aliases open threads of packages that were stored as `unknown` */
async function admit(
  item: Incoming,
  {
    names,
    owners,
    by,
    now,
    aliases,
  }: { names: Names; owners: NameOwners; by: Claimant; now: number; aliases: Set<string> }
): Promise<Admitted> {
  const { category, dnpName, correlationId, node } = item.payload;
  const allows = async (kind: Kind, name: string | undefined, claim: Claim): Promise<boolean> =>
    name === undefined || claim === 'own' || (claim === 'free' && (await names.take(kind, name, by.sender, now)));
  const waits = (name: string): boolean =>
    correlationId !== undefined && !names.has('package', name) && aliases.has(aliasOf(name, correlationId));

  const keepsCategory = await allows('category', category, category === DEFAULTS.category ? 'own' : 'free');
  const nodeClaim = node === undefined ? 'own' : owners.ofNode(node, by);
  const keepsNode = await allows('node', node, nodeClaim);
  const host = keepsNode ? node : undefined;
  const packageClaim = dnpName === undefined ? 'own' : owners.ofPackage(dnpName, host, by);
  const mayWait = packageClaim === 'free' && dnpName !== undefined;
  const keepsPackage = !(mayWait && waits(dnpName)) && (await allows('package', dnpName, packageClaim));
  const reasons: Reason[] = [
    ...(keepsCategory ? [] : [['category', TOO_MANY] satisfies Reason]),
    ...(keepsPackage
      ? []
      : [['dnpName', dnpName === OWN_PACKAGE ? RESERVED : reasonOf(packageClaim)] satisfies Reason]),
    ...(keepsNode ? [] : [['node', reasonOf(nodeClaim)] satisfies Reason]),
  ];
  return reasons.length === 0 ? { item } : replaced(item, reasons);
}

function replaced(item: Incoming, reasons: readonly Reason[]): Admitted {
  const sent: Record<string, unknown> = {};
  const payload: Incoming['payload'] = { ...item.payload };
  for (const [name] of reasons) {
    const { [name]: given = '', correlationId } = item.payload;
    Object.assign(sent, name === 'category' ? { category: given } : { [name]: given, correlationId });
    payload[name] = name === 'node' ? undefined : DEFAULTS[name];
    payload.correlationId =
      name === 'category' ? payload.correlationId : payload.correlationId && aliasOf(given, payload.correlationId);
  }
  return {
    item: {
      ...item,
      payload,
      extra: { ...item.extra, ...sent },
      ignored: [...ignoredOf(item, reasons), ...(item.ignored ?? [])].slice(0, LIMITS.listedChanges.value),
    },
    note: noteOf(item, reasons),
  };
}

/** @param owners the names of tokens, which only they may use */
export function createNameLimits(db: Database, owners: () => NameOwners): AdmitNames {
  const names = createNames(db);

  const isKnown = ({ sender, signed, payload: { category, dnpName, node } }: Incoming): boolean =>
    sender === undefined ||
    ((category === undefined || names.has('category', category)) &&
      (dnpName === undefined ||
        (names.has('package', dnpName) && owners().ofPackage(dnpName, node, { sender, signed }) !== 'foreign')) &&
      (node === undefined || (names.has('node', node) && owners().ofNode(node, { sender }) !== 'foreign')));

  return async (incoming, now) => {
    if (incoming.every(isKnown)) {
      return incoming.map((item) => ({ item }));
    }
    const payloads = incoming.flatMap(({ sender, payload }) => (sender === undefined ? [] : [payload]));
    const given = (values: (string | undefined)[]): string[] => values.filter((value) => value !== undefined);
    await names.lookUp('category', given(payloads.map(({ category }) => category)));
    await names.lookUp('package', given(payloads.map(({ dnpName }) => dnpName)));
    await names.lookUp('node', given(payloads.map(({ node }) => node)));
    // Threads that were opened while their package was stored as `unknown`, and wait for their resolve there.
    const aliases = payloads.map(({ dnpName, correlationId }) =>
      dnpName === undefined || correlationId === undefined || names.has('package', dnpName)
        ? undefined
        : aliasOf(dnpName, correlationId)
    );
    const common = { names, owners: owners(), now, aliases: await openThreads(db, given(aliases)) };
    const admitted: Admitted[] = [];
    for (const item of incoming) {
      const { sender, signed } = item;
      admitted.push(sender === undefined ? { item } : await admit(item, { ...common, by: { sender, signed } }));
    }
    return admitted;
  };
}

/** Keeps the threads of packages apart that are all stored as `unknown`. */
const aliasOf = (dnpName: string, correlationId: string): string => shortName(`${dnpName}/${correlationId}`);

type Replaced = 'category' | 'dnpName' | 'node';
type Reason = [name: Replaced, reason: string];

const STORED: Record<Replaced, string> = {
  category: `as "${DEFAULTS.category}"`,
  dnpName: `as "${DEFAULTS.dnpName}"`,
  node: 'without a node',
};
const TOO_MANY = 'too many new ones from this sender today, or in the inbox';
const RESERVED = 'it is the name of the bridge';
const reasonOf = (claim: Claim): string => (claim === 'foreign' ? 'it belongs to another sender' : TOO_MANY);

const noteOf = ({ payload }: Incoming, reasons: readonly Reason[]): string =>
  [...Map.groupBy(reasons, ([, reason]) => reason)]
    .map(([reason, some]) => {
      const parts = some.map(([name]) => `"${name}" ${show(payload[name])} is stored ${STORED[name]}`);
      return `${parts.join(', ')}: ${reason}`;
    })
    .join('; ');

const ignoredOf = ({ payload }: Incoming, reasons: readonly Reason[]): IgnoredMember[] =>
  reasons.map(([name, reason]) => ({
    pointer: `/${name}`,
    reason: `Stored ${STORED[name]} instead of ${show(payload[name])}: ${reason}.`,
  }));
