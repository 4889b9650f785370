/**
 * `npm run bench [ingest|queries|live|size|validate|thresholds|chains|scale …] [--count N]`: measures every figure of the
 * README.
 */
import { parseArgs } from 'node:util';
import { chains } from './chains.ts';
import { ingest } from './ingest.ts';
import { live, size } from './live.ts';
import { queries } from './queries.ts';
import { scale } from './scale.ts';
import { thresholds } from './thresholds.ts';
import { validate } from './validate.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '1000000' } },
});
const wanted = (name: string): boolean => positionals.length === 0 || positionals.includes(name);

if (wanted('ingest')) {
  await ingest();
}
if (wanted('queries')) {
  await queries(Number(values.count));
}
if (wanted('live')) {
  await live();
}
if (wanted('size')) {
  size();
}
if (wanted('validate')) {
  validate();
}
if (wanted('thresholds')) {
  await thresholds();
}
if (wanted('chains')) {
  await chains();
}
if (wanted('scale')) {
  await scale(Number(values.count));
}
