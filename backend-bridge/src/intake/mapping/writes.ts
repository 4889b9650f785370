/** Stores the mappings of a provisioning file. Runs in the writer thread. */
import type { Mapping } from '../../../contract/mapping.ts';
import type { Transacting } from '../../platform/storage/engine.ts';

/** Replaces those of the file. */
export async function provisionMappings(
  trx: Transacting,
  { file, mappings }: { file: string; mappings: readonly Mapping[] }
): Promise<void> {
  await trx.deleteFrom('mappings').where('file', '=', file).execute();
  for (const mapping of mappings) {
    await trx
      .insertInto('mappings')
      .values({ name: mapping.name, file, content: JSON.stringify(mapping) })
      .execute();
  }
}
