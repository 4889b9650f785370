/** Writes the dashboards of provisioned packages as files for Grafana. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { dashboardsOf } from '../../packages/dashboards/dashboards.ts';
import type { FolderPackage } from '../../provisioning/loadFolder.ts';
import { type CliIo, EXIT, type ExitCode, printable, usageError } from '../shared/io.ts';
import { readFolder } from '../provision/folder.ts';
import { countOf, formatOutcome } from '../validate/output.ts';

const LABELS: Record<Fate, string> = {
  written: 'wrote  ',
  same: 'kept   ',
  deleted: 'deleted',
  left: 'left   ',
  taken: 'refused',
};

export interface DashboardFlags {
  dir?: string;
  out: string;
  prune?: boolean;
}

export async function dashboards({ dir, out, prune = false }: DashboardFlags, io: CliIo): Promise<ExitCode> {
  const { folder, outcome } = await readFolder(dir, io);
  if (outcome.unreadable.length > 0 || countOf(outcome, 'error') > 0) {
    io.err(formatOutcome('human', outcome, io));
    return outcome.unreadable.length > 0 ? EXIT.usage : EXIT.refused;
  }
  const { chosen, notes } = chooseDashboards(folder.packages);
  notes.forEach((note) => io.err(`${printable(note)}\n`));
  const written = await writeDashboards(out, chosen, prune).catch((error: unknown) => {
    const { code, path } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : usageError(`cannot write ${path ?? out} (${code}).`);
  });
  for (const { file, fate, title } of written) {
    const more = fate === 'left' ? 'belongs to no package; use --prune to delete it' : printable(title);
    io.out(`${LABELS[fate]}  ${file}  ${fate === 'taken' ? 'is not a dashboard of Nodebell' : more}\n`);
  }
  return written.some(({ fate }) => fate === 'taken') ? EXIT.refused : EXIT.ok;
}

export interface Chosen {
  uid: string;
  title: string;
  dashboard: Record<string, unknown>;
}

/**
 * A uid is unique in Grafana: of several packages with the same uid, the first by name is used.
 * @returns notes: messages about dashboards that are not written
 */
export function chooseDashboards(packages: readonly FolderPackage[]): { chosen: Chosen[]; notes: string[] } {
  /** By lowercase uid, which becomes a file name. */
  const owners = new Map<string, string>();
  const chosen: Chosen[] = [];
  const notes: string[] = [];
  for (const { wanted, validated } of [...packages].sort((a, b) => (a.wanted.name < b.wanted.name ? -1 : 1))) {
    const { name } = wanted;
    for (const one of dashboardsOf({ dnpName: name, validated, dashboards: [...(wanted.dashboards ?? [])] })) {
      const owner = owners.get(one.uid.toLowerCase());
      if (one.problem !== undefined) {
        notes.push(`${name}: ${one.file} is skipped. ${one.problem}`);
      } else if (one.dashboard !== undefined && owner !== undefined) {
        notes.push(`${name}: ${one.file} is skipped. Its uid ${one.uid} is already used by a dashboard of ${owner}.`);
      } else if (one.dashboard !== undefined) {
        owners.set(one.uid.toLowerCase(), name);
        chosen.push({ uid: one.uid, title: one.title, dashboard: one.dashboard });
      }
    }
  }
  return { chosen, notes };
}

/** `left`: it belongs to no package; `taken`: another file has this name and is kept. */
export type Fate = 'written' | 'same' | 'deleted' | 'left' | 'taken';

export interface Written {
  file: string;
  fate: Fate;
  title: string;
}

/** @param prune whether to delete dashboards that belong to no package */
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
  // Atomic replacement: Grafana must not read a partial file.
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
  return 'written';
}

/** Dashboards of this command are tagged and named by their uid. */
function isOurs(name: string, text: string): boolean {
  try {
    const { uid, tags } = JSON.parse(text) as { uid?: unknown; tags?: unknown };
    return name === `${String(uid)}.json` && Array.isArray(tags) && tags.includes('nodebell');
  } catch {
    return false;
  }
}
