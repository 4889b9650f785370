/** Stores sets of labels, each once. Runs in the writer thread. */
import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Labels } from '../../../contract/matchers.ts';
import { inList, inRows, insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { LabelSetRow } from '../../platform/storage/schema.ts';
import { takeNumbers } from '../../platform/storage/series.ts';

/** Labels as they are stored: sorted by name, without empty ones, which count as absent. Undefined: none are left. */
export function labelText(labels: Labels | undefined): string | undefined {
  const entries = labels === undefined ? [] : Object.entries(labels).filter(([, value]) => value !== '');
  return entries.length === 0
    ? undefined
    : JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Labels of the notifications of one write. */
export interface GivenLabels {
  /** See {@link labelText}; undefined: without. */
  texts: readonly (string | undefined)[];
  /** Hash of each text. */
  hashes: ReadonlyMap<string, string>;
}

export function readLabels(given: readonly (Labels | undefined)[]): GivenLabels {
  const texts = given.map(labelText);
  const hashes = new Map<string, string>();
  for (const text of texts) {
    if (text !== undefined && !hashes.has(text)) {
      hashes.set(text, hash('sha256', text, 'base64url'));
    }
  }
  return { texts, hashes };
}

/** Query of the sets that are stored, for {@link keepLabelSets}: with the other queries of a write. Undefined: there are no labels. */
export const selectLabelSets = (trx: Transacting, { hashes }: GivenLabels) =>
  hashes.size === 0
    ? undefined
    : trx
        .selectFrom('label_sets')
        .select(['id', 'hash'])
        .where(inList('hash', [...hashes.values()]));

/**
 * Stores the sets that are not stored yet.
 * @returns the id of each; undefined: without labels
 */
export async function keepLabelSets(
  trx: Transacting,
  { texts, hashes }: GivenLabels,
  stored: readonly Pick<LabelSetRow, 'id' | 'hash'>[]
): Promise<(number | undefined)[]> {
  const ids = new Map(stored.map((row) => [row.hash, row.id]));
  const missing = [...hashes].filter(([, hashed]) => !ids.has(hashed));
  if (missing.length > 0) {
    const first = await takeNumbers(trx, 'label set', missing.length);
    const rows = missing.map(([labels, hashed], index): LabelSetRow => ({ id: first + index, hash: hashed, labels }));
    await insertRows(trx, 'label_sets', rows);
    await insertRows(trx, 'labels', rows.flatMap(labelsOf));
    rows.forEach((row) => ids.set(row.hash, row.id));
  }
  return texts.map((text) => (text === undefined ? undefined : ids.get(hashes.get(text)!)));
}

const labelsOf = ({ id, labels }: Pick<LabelSetRow, 'id' | 'labels'>) =>
  Object.entries(JSON.parse(labels) as Labels).map(([name, value]) => ({ name, value, set_id: id }));

/** Removes those of the sets that no notification has, nor one whose deletion can be undone. */
export async function removeLabelSets(trx: Transacting, sets: readonly number[]): Promise<void> {
  const ids = [...new Set(sets)].filter((id) => id > 0);
  if (ids.length === 0) {
    return;
  }
  const unused = (table: 'notifications' | 'trash') =>
    sql<boolean>`not exists (select 1 from ${sql.table(table)} n where n.label_set = label_sets.id and n.label_set > 0)`;
  const removed = await trx
    .deleteFrom('label_sets')
    .where(inList('id', ids))
    .where(unused('notifications'))
    .where(unused('trash'))
    .returning(['id', 'labels'])
    .execute();
  const rows = removed.flatMap(labelsOf).map(({ name, value, set_id }) => [name, value, set_id]);
  if (rows.length > 0) {
    await trx
      .deleteFrom('labels')
      .where(inRows(['name', 'value', 'set_id'], rows))
      .execute();
  }
}
