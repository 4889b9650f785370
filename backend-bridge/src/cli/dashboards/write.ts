/** Writes dashboards into a folder that Grafana watches: whole files only, and only what changes. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Chosen } from './choose.ts';

/** `left`: it belongs to no package any more; `taken`: somebody else's file has its name, and stays as it is. */
export type Fate = 'written' | 'same' | 'deleted' | 'left' | 'taken';

export interface Written {
  file: string;
  fate: Fate;
  title: string;
}

/** @param prune whether those that belong to no package any more are deleted */
export async function writeDashboards(out: string, chosen: readonly Chosen[], prune: boolean): Promise<Written[]> {
  await mkdir(out, { recursive: true });
  const written: Written[] = [];
  for (const { uid, title, dashboard } of chosen) {
    const file = path.join(out, `${uid}.json`);
    written.push({ file, title, fate: await writeOne(file, `${JSON.stringify(dashboard, null, 2)}\n`) });
  }
  const names = new Set(chosen.map(({ uid }) => `${uid}.json`));
  const there = (await readdir(out, { withFileTypes: true })).filter((entry) => entry.isFile());
  for (const name of there.map((entry) => entry.name).sort()) {
    const file = path.join(out, name);
    if (name.endsWith('.json') && !names.has(name) && isOurs(name, await readFile(file, 'utf8'))) {
      await (prune && rm(file));
      written.push({ file, title: '', fate: prune ? 'deleted' : 'left' });
    }
  }
  return written;
}

async function writeOne(file: string, text: string): Promise<Fate> {
  const before = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') {
      throw error;
    }
    return undefined;
  });
  if (before === text) {
    return 'same';
  }
  if (before !== undefined && !isOurs(path.basename(file), before)) {
    return 'taken';
  }
  // Aside first: Grafana must not read half of it.
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
  return 'written';
}

/** What this command writes is tagged, and named by its uid. */
function isOurs(name: string, text: string): boolean {
  try {
    const { uid, tags } = JSON.parse(text) as { uid?: unknown; tags?: unknown };
    return name === `${String(uid)}.json` && Array.isArray(tags) && tags.includes('nodebell');
  } catch {
    return false;
  }
}
