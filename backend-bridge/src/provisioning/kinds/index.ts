/** The kinds of provisioned entries. */
import { categories } from './category.ts';
import { chains } from './chain.ts';
import { channels } from './channel.ts';
import { heartbeats } from './heartbeat.ts';
import { inhibitRules } from './inhibitRule.ts';
import type { Kind } from './kind.ts';
import { maintenance } from './maintenance.ts';
import { mappings } from './mapping.ts';
import { packages } from './package.ts';
import { people } from './person.ts';
import { retention } from './retention.ts';
import { routes } from './routes.ts';
import { schedules } from './schedule.ts';
import { senders } from './sender.ts';
import { settings } from './setting.ts';

/** In the order of a dry run. */
const TABLE = [
  packages,
  settings,
  categories,
  senders,
  retention,
  chains,
  channels,
  routes,
  schedules,
  people,
  heartbeats,
  mappings,
  maintenance,
  inhibitRules,
] as const;

type WantedOf<K> = K extends Kind<string, never, infer Wanted, never> ? Wanted : never;
/** The desired state of a provisioning file. */
export type Wanted = { [K in (typeof TABLE)[number] as K['member']]: WantedOf<K>[] };

export const KINDS: readonly Kind[] = TABLE;
/** In the order of findings and removals. */
export const RANKED_KINDS: readonly Kind[] = KINDS.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0));

/** Entries of one kind. */
export const wantedOf = (wanted: Wanted | undefined, { member }: Kind): unknown[] =>
  (wanted as Record<string, unknown[]> | undefined)?.[member] ?? [];
