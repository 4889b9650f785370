/** Changes of settings. Run in the writer thread. */
import { type Actor, nameOfActor } from '../../../contract/audit.ts';
import { audit } from '../../platform/audit/writes.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import { ANY_SETTING, type JournalEvent } from '../../platform/storage/events.ts';
import type { SettingRow } from '../../platform/storage/schema.ts';
import type { Written } from '../../platform/storage/write.ts';
import { setCategory } from '../../inbox/categories/writes.ts';
import { addSettingHistory, pruneSettingHistory } from '../../platform/audit/settingHistory.ts';

export type SettingKey = Pick<SettingRow, 'dnp_name' | 'correlation_id' | 'member' | 'file'>;
/** `value` null removes the setting, so that the default applies. */
export type SettingChange = SettingKey & Pick<SettingRow, 'shipped' | 'subject'> & { value: number | null };

export interface ChangeSettings {
  changes: SettingChange[];
  categories?: { category: string; enabled: boolean }[];
  /** The package that must be registered. Default: none, since settings can be imported before their package. */
  registered?: string;
  /** Null: the bridge. */
  by: Actor | null;
  now: number;
}

/**
 * Changes settings as an admin. Fails if, since the validation, a file has provisioned one of the settings or the package was removed.
 * @returns that file, or that the package was removed; then nothing was changed
 */
export async function changeSettings(
  trx: Transacting,
  args: ChangeSettings
): Promise<Written<{ conflict: string | null; removed: boolean }>> {
  const removed = args.registered !== undefined && !(await isRegistered(trx, args.registered));
  const conflict = (await fileOf(trx, args)) ?? null;
  const fails = removed || conflict !== null;
  return { result: { conflict, removed }, events: fails ? [] : await storeSettings(trx, args) };
}

async function isRegistered(trx: Transacting, name: string): Promise<boolean> {
  const row = await trx.selectFrom('packages').select('dnp_name').where('dnp_name', '=', name).executeTakeFirst();
  return row !== undefined;
}

/** @returns a file that provisions one of these */
async function fileOf(trx: Transacting, { changes, categories = [] }: ChangeSettings): Promise<string | undefined> {
  for (const { dnp_name, correlation_id, member } of changes.filter(({ file }) => file === '')) {
    const row = await trx
      .selectFrom('settings')
      .select('file')
      .where((setting) => setting.and({ dnp_name, correlation_id, member }))
      .where('file', '!=', '')
      .executeTakeFirst();
    if (row !== undefined) {
      return row.file;
    }
  }
  for (const { category } of categories) {
    const row = await trx.selectFrom('categories').select('file').where('category', '=', category).executeTakeFirst();
    if (row !== undefined && row.file !== null) {
      return row.file;
    }
  }
  return undefined;
}

/** Stores all changes. Unchanged settings keep their time. */
export async function storeSettings(
  trx: Transacting,
  { changes, categories = [], by, now }: ChangeSettings
): Promise<Omit<JournalEvent, 'id'>[]> {
  const events: Omit<JournalEvent, 'id'>[] = [];
  for (const change of changes) {
    if (await setOne(trx, change, by, now)) {
      const { dnp_name: dnpName, correlation_id: correlationId } = change;
      events.push({ type: 'settings', data: { dnpName, ...(correlationId !== '' && { correlationId }) } });
    }
  }
  for (const one of categories) {
    events.push(...(await setCategory(trx, { ...one, by, now })).events);
  }
  await pruneSettingHistory(trx);
  return events.length > MAX_EVENTS ? [ANY_SETTING] : events;
}

const MAX_EVENTS = 50;

async function setOne(
  trx: Transacting,
  { value, shipped, subject, ...key }: SettingChange,
  by: Actor | null,
  now: number
): Promise<boolean> {
  const before = await trx
    .selectFrom('settings')
    .selectAll()
    .where((row) => row.and(key))
    .executeTakeFirst();
  if ((before?.value ?? null) === value && (before === undefined || same(before, { shipped, subject }))) {
    return false;
  }
  // The file of a provisioned setting is stored in its own column.
  const setBy = key.file === '' ? nameOfActor(by) : null;
  if (value === null) {
    await trx
      .deleteFrom('settings')
      .where((row) => row.and(key))
      .execute();
  } else {
    const values = { value, shipped, subject, ts: now, set_by: setBy };
    await trx
      .insertInto('settings')
      .values({ ...key, ...values })
      .onConflict((conflict) => conflict.columns(['dnp_name', 'correlation_id', 'member', 'file']).doUpdateSet(values))
      .execute();
  }
  await addSettingHistory(trx, {
    ts: now,
    set_by: setBy,
    file: key.file === '' ? null : key.file,
    category: null,
    dnp_name: key.dnp_name,
    correlation_id: key.correlation_id === '' ? null : key.correlation_id,
    member: key.member,
    old_value: before?.value ?? null,
    new_value: value,
  });
  await audit(trx, {
    by,
    action: 'settings.change',
    object: [key.dnp_name, key.correlation_id].filter((name) => name !== '').join(' '),
    before: { [key.member]: shownValue(key.member, before?.value ?? null) },
    after: { [key.member]: shownValue(key.member, value) },
    now,
  });
  return true;
}

/** Null: not set, so that the default applies. */
const shownValue = (member: SettingKey['member'], value: number | null): number | boolean | null =>
  value === null || member === 'threshold' ? value : value !== 0;

/**
 * Whether nothing changed. The same value for another default or subject is a change, unless it comes from a file, which is applied at each
 * start.
 */
const same = (before: SettingRow, { shipped, subject }: Pick<SettingRow, 'shipped' | 'subject'>): boolean =>
  before.file !== '' || (before.shipped === shipped && before.subject === subject);

/** All settings of a provisioning file; its previous ones that are missing are removed. */
export interface ProvisionSettings {
  file: string;
  changes: SettingChange[];
  now: number;
}

export async function provisionSettings(
  trx: Transacting,
  { file, changes, now }: ProvisionSettings
): Promise<Omit<JournalEvent, 'id'>[]> {
  const before = await trx.selectFrom('settings').selectAll().where('file', '=', file).execute();
  const wanted = new Set(changes.map(keyOf));
  const gone = before.filter((row) => !wanted.has(keyOf(row)));
  const all = [
    ...gone.map(({ ts: _ts, set_by: _setBy, ...row }): SettingChange => ({ ...row, value: null })),
    ...changes.map((change) => ({ ...change, file })),
  ];
  return storeSettings(trx, { changes: all, by: { kind: 'file', name: file }, now });
}

const keyOf = ({ dnp_name, correlation_id, member }: Omit<SettingKey, 'file'>): string =>
  JSON.stringify([dnp_name, correlation_id, member]);

/** Replaces the endpoints that these packages switch off. */
export async function setShippedOff(
  trx: Transacting,
  packages: readonly { dnpName: string; off: readonly string[] }[]
): Promise<void> {
  for (const { dnpName, off } of packages) {
    await trx.deleteFrom('shipped_off').where('dnp_name', '=', dnpName).execute();
    if (off.length > 0) {
      await trx
        .insertInto('shipped_off')
        .values([...new Set(off)].map((correlation_id) => ({ dnp_name: dnpName, correlation_id })))
        .execute();
    }
  }
}

/** Notifies pages that a monitor was synced, or failed. */
export function reportSettings(_trx: Transacting, _args: null): Promise<Written<void>> {
  return Promise.resolve({ result: undefined, events: [ANY_SETTING] });
}
