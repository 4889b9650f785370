/** Stores the entries of a provisioning file: all of a file, or nothing. Runs in the writer thread. */
import type { AuditAction } from '../../contract/audit.ts';
import type { Route } from '../../contract/channel.ts';
import type { ProvisionedHeartbeat } from '../../contract/heartbeat.ts';
import type { Mapping } from '../../contract/mapping.ts';
import type { ChannelPerson, OnCallSchedule } from '../../contract/onCall.ts';
import type { InhibitRule, MaintenanceBody } from '../../contract/suppression.ts';
import type { RetentionPolicy } from '../../contract/retention.ts';
import type { ProvisionedRow } from '../platform/access/provisioned.ts';
import { provisionSenders } from '../platform/access/writes.ts';
import { auditState } from '../platform/audit/writes.ts';
import { provisionCategories } from '../inbox/categories/writes.ts';
import type { ShownChannel } from '../delivery/channels/kinds/channel.ts';
import { provisionChannels } from '../delivery/channels/fileWrites.ts';
import { provisionHeartbeats } from '../intake/heartbeats/writes.ts';
import { provisionMappings } from '../intake/mapping/writes.ts';
import { provisionSuppressions } from '../delivery/suppression/writes.ts';
import { provisionRetention } from '../inbox/retention/writes.ts';
import type { Transacting } from '../platform/storage/engine.ts';
import type { Written } from '../platform/storage/write.ts';
import { provisionSettings, type SettingChange } from '../monitoring/thresholds/writes.ts';

/** By member of the file, as `stored` of its kind returns it. */
export interface Provision {
  file: string;
  categories: { category: string; enabled: boolean }[];
  senders: ProvisionedRow[];
  /** Nodes, without credentials; for the audit log only, since the file is read at each start. */
  chains: { name: string }[];
  heartbeats: ProvisionedHeartbeat[];
  /** Settings of the packages that it names. */
  settings: SettingChange[];
  /** At most one. */
  retention: RetentionPolicy[];
  /** Without secrets. */
  channels: ShownChannel[];
  routes: Route[];
  schedules: OnCallSchedule[];
  people: ChannelPerson[];
  maintenance: MaintenanceBody[];
  inhibit_rules: InhibitRule[];
  mappings: Mapping[];
  now: number;
}

/** Entries that the file no longer has are removed: its categories are on again, its tokens are revoked. */
export async function provision(trx: Transacting, args: Provision): Promise<Written<void>> {
  const { file, chains, heartbeats, settings, retention, now } = args;
  const categories = await provisionCategories(trx, args);
  const senders = await provisionSenders(trx, args);
  await auditStates(trx, { file, action: 'chain.configure', entries: chains, now });
  await provisionHeartbeats(trx, args);
  await auditStates(trx, { file, action: 'heartbeat.configure', entries: heartbeats, now });
  await provisionMappings(trx, args);
  await auditStates(trx, { file, action: 'mapping.configure', entries: args.mappings, now });
  await provisionRetention(trx, { file, policy: retention[0] ?? null, now });
  const channels = await provisionChannels(trx, args);
  const { maintenance: windows, inhibit_rules: rules } = args;
  const suppressions = await provisionSuppressions(trx, { file, windows, rules, now });
  const set = await provisionSettings(trx, { file, changes: settings, now });
  return { result: undefined, events: [...categories, ...set, ...senders, ...channels, ...suppressions] };
}

interface States {
  file: string;
  action: AuditAction;
  /** Without secrets. */
  entries: readonly { name: string }[];
  now: number;
}

/** Entries that are not stored: the log has the value before. Records those that the file no longer has as well. */
async function auditStates(trx: Transacting, { file, action, entries, now }: States): Promise<void> {
  const known = await trx
    .selectFrom('audit')
    .select('object')
    .distinct()
    .where('action', '=', action)
    .where('actor', '=', file)
    .execute();
  const states = new Map(entries.map(({ name, ...state }) => [name, state]));
  for (const object of new Set([...known.map((one) => one.object), ...states.keys()])) {
    await auditState(trx, { by: { kind: 'file', name: file }, action, object, after: states.get(object), now });
  }
}
