/**
 * `npm run bench [name …] [-- --quick] [-- --large] [-- --count N]`: without a name, one table for both stores (overview.ts).
 * `--quick`: one short round with fewer rows. `--large`: also with a million and five million stored. The other names measure further
 * figures of the README.
 */
import { parseArgs } from 'node:util';
import { alerts } from './alerts.ts';
import { chains } from './chains.ts';
import { costs } from './costs.ts';
import { light } from './light.ts';
import { live, size } from './live.ts';
import { overview, PARTS } from './overview.ts';
import { page } from './page.ts';
import { queries } from './queries.ts';
import { reach } from './reach.ts';
import { responding } from './responding.ts';
import { report } from './report.ts';
import { scale } from './scale.ts';
import { thresholds } from './thresholds.ts';
import { validate } from './validate.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '1000000' },
    quick: { type: 'boolean', default: false },
    large: { type: 'boolean', default: false },
  },
});
const count = Number(values.count);
const OTHERS: Readonly<Record<string, () => Promise<void> | void>> = {
  queries: () => queries(count),
  light: () => light(count, values.quick),
  alerts,
  live,
  page,
  size,
  validate,
  thresholds,
  chains,
  costs,
  reach: () => reach(values.quick),
  responding,
  report: () => report(count, values.quick),
  scale: () => scale(count),
};

const unknown = positionals.filter((name) => !(name in PARTS) && !(name in OTHERS));
if (unknown.length > 0) {
  throw new Error(`${unknown.join(', ')}: allowed are ${[...Object.keys(PARTS), ...Object.keys(OTHERS)].join(', ')}`);
}
const parts = Object.keys(PARTS).filter((name) => positionals.length === 0 || positionals.includes(name));
if (parts.length > 0) {
  await overview(parts, {
    ...(values.quick ? { seconds: 1, rounds: 1 } : { seconds: 4, rounds: 5 }),
    counts: values.quick ? [0, 10_000] : [0, 10_000, 100_000, ...(values.large ? [1_000_000, 5_000_000] : [])],
  });
}
for (const name of positionals) {
  await OTHERS[name]?.();
}
