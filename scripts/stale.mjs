import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './run.mjs';

const STAMPS = path.join(ROOT, 'node_modules', '.cache', 'nodebell');
const IGNORED = /(^|\/)(node_modules|dist)(\/|$)|\.test\.tsx?$/;

function* filesIn(entry) {
  const full = path.join(ROOT, entry);
  if (IGNORED.test(entry) || !existsSync(full)) {
    return;
  }
  if (!statSync(full).isDirectory()) {
    yield entry;
    return;
  }
  for (const name of readdirSync(full).sort()) {
    yield* filesIn(`${entry}/${name}`);
  }
}

/** Compares contents, not times: a fresh clone, a checkout or a restored cache changes times only. */
export function fingerprint(inputs) {
  const hash = createHash('sha256').update(process.platform + process.arch);
  for (const file of inputs.flatMap((input) => [...filesIn(input)])) {
    hash.update(`\0${file}\0`).update(readFileSync(path.join(ROOT, file)));
  }
  return hash.digest('hex');
}

const stampFile = (name) => path.join(STAMPS, name);

/** With the output: `npm run dev` writes to the same file. */
const stamp = (inputs, output) =>
  `${fingerprint(inputs)} ${createHash('sha256')
    .update(readFileSync(path.join(ROOT, output)))
    .digest('hex')}`;

/** Whether the output with this name is as it was built from exactly these inputs. */
export function isFresh(name, inputs, output) {
  if (!existsSync(path.join(ROOT, output)) || !existsSync(stampFile(name))) {
    return false;
  }
  return readFileSync(stampFile(name), 'utf8') === stamp(inputs, output);
}

export function markFresh(name, inputs, output) {
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(stampFile(name), stamp(inputs, output));
}
