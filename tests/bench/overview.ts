/** One table for both stores. Each part makes the databases that it needs and can be run alone, by its name. */
import { cpus, loadavg } from 'node:os';
import { eventTimes } from './eventTimes.ts';
import { ingest } from './ingest.ts';
import { reading } from './reading.ts';
import { replicas } from './replicas.ts';
import { retaining } from './retaining.ts';
import { stored } from './stored.ts';
import { type Effort, type Part, withStores } from './stores.ts';
import { table } from './table.ts';

export const PARTS: Readonly<Record<string, Part>> = { ingest, reading, stored, eventTimes, replicas, retaining };

export async function overview(names: readonly string[], effort: Effort): Promise<void> {
  const before = loadavg()[0]!;
  const rows: string[][] = [];
  let head: string[] = [];
  await withStores(async (stores) => {
    head = ['what', 'command', ...stores.map(({ name }) => name)];
    for (const name of names) {
      process.stderr.write(`${name} \u2026\n`);
      const values = new Map<string, string[]>();
      for (const [index, store] of stores.entries()) {
        for (const [what, value] of await PARTS[name]!(store, effort)) {
          const row = values.get(what!) ?? stores.map(() => '');
          row[index] = value!;
          values.set(what!, row);
        }
      }
      rows.push(...[...values].map(([what, of]) => [what, `npm run bench ${name}`, ...of]));
    }
  });
  console.log(`\n${table(head, rows)}\n`);
  console.log(
    `${cpus().length} cores, shared with the load generator and the server of PostgreSQL. Load average before: ${before.toFixed(1)}.`
  );
}
