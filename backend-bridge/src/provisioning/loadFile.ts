/** Reads a provisioning file with the files that it refers to. */
import path from 'node:path';
import type { ProvisioningFinding } from '../../contract/provisioning.ts';
import { KINDS, RANKED_KINDS, type Wanted } from './kinds/index.ts';
import type { At, Claim, Kind, LoadContext, Loaded, Place } from './kinds/kind.ts';
import { type KnownFiles, readUnlessKnown } from './readFile.ts';
import { readText } from './kinds/readText.ts';
import { findingAt } from './source.ts';

export interface LoadedFile {
  /** Its name in the folder. */
  file: string;
  findings: ProvisioningFinding[];
  /** Absent if a finding is an error. */
  wanted?: Wanted;
  /** Keys that are unique in the folder; empty if a finding is an error. */
  claims: FileClaim[];
  /** A finding at a path in the file. */
  at: At;
  /** Absolute paths of the files that it refers to, which are watched as well. */
  names: string[];
}

export interface FileClaim extends Claim {
  kind: Kind;
  /** In the file. */
  path: PropertyKey[];
}

/** A file without entries. @param findings about the file as a whole */
export function emptyFile(file: string, findings: ProvisioningFinding[] = [], at = aboutFile(file)): LoadedFile {
  return { file, findings, at, claims: [], names: [] };
}

/** A finding for a file as a whole. */
export function aboutFile(file: string): At {
  return (_path, base) => ({ ...base, file, pointer: '', line: 1, column: 1, endLine: 1, endColumn: 1 });
}

/**
 * @param dir an absolute path
 * @param file a name in it
 * @param env what variables are looked up in
 * @param known a file with the same text is not parsed again, which takes tens of milliseconds for hundreds of packages; added to
 * @returns the desired state, or every error; never rejects
 */
export async function loadFile(
  dir: string,
  file: string,
  env: Record<string, string | undefined>,
  known: KnownFiles = new Map()
): Promise<LoadedFile> {
  const text = await readText(path.join(dir, file));
  if ('problem' in text) {
    const base = { rule: 'file', verdict: 'error', title: 'The file cannot be read' } as const;
    return emptyFile(file, [aboutFile(file)([], { ...base, detail: `It ${text.problem}.` })]);
  }
  const { findings, read } = readUnlessKnown(file, text.text, env, known);
  if (read === undefined) {
    return emptyFile(file, findings);
  }
  const { value, source } = read;
  const at: At = (place, base, character) => findingAt(source(), place, base, character);
  const wanted: Record<string, unknown[]> = {};
  const loaded = new Map<Kind, LoadedEntry[]>();
  for (const kind of KINDS) {
    const entries = await loadEntries(kind, kind.entries(value, wanted), { dir, file, at });
    loaded.set(kind, entries);
    wanted[kind.member] = entries.flatMap((one) => (one.wanted === undefined ? [] : [one.wanted]));
  }
  const all = RANKED_KINDS.map((kind) => [kind, loaded.get(kind)!] as const);
  findings.push(
    ...all.flatMap(([, entries]) => entries.flatMap((one) => one.findings)),
    ...all.flatMap(([kind, entries]) => [...duplicates(kind, entries, at), ...(kind.check?.(value, at) ?? [])])
  );
  const names = all.flatMap(([, entries]) => entries.flatMap((one) => one.names));
  const hasErrors = findings.some(({ verdict }) => verdict === 'error');
  return hasErrors
    ? { ...emptyFile(file, findings, at), names }
    : { file, findings, at, names, wanted: wanted as Wanted, claims: all.flatMap(claimsOf) };
}

type LoadedEntry = Loaded<unknown> & Place<unknown>;

async function loadEntries(kind: Kind, places: Place<unknown>[], file: LoadContext): Promise<LoadedEntry[]> {
  // One after another: validating hundreds of packages at once would block requests.
  return Array.fromAsync(places, async ({ path: place, entry }) => {
    const context: LoadContext = {
      ...file,
      at: (member, base, character) => file.at([...place, ...member], base, character),
    };
    if (kind.load) {
      return { ...(await kind.load(entry, context)), path: place, entry };
    }
    return { findings: kind.validate?.(entry, context) ?? [], names: [], wanted: entry, path: place, entry };
  });
}

function duplicates(kind: Kind, entries: readonly LoadedEntry[], at: At): ProvisioningFinding[] {
  const seen = new Set<string>();
  const base = { rule: 'twice', verdict: 'error', title: 'Duplicate entry' } as const;
  return entries.flatMap(({ path: place, entry, wanted }) =>
    (kind.unique?.(entry, wanted) ?? []).flatMap(({ key, path: member = [], label }) => {
      const isFirst = !seen.has(key);
      seen.add(key);
      return isFirst
        ? []
        : [at([...place, ...member], { ...base, detail: `${label} is already in this file: keep one.` })];
    })
  );
}

function claimsOf([kind, entries]: readonly [Kind, readonly LoadedEntry[]]): FileClaim[] {
  return entries.flatMap(({ path: place, wanted }) => {
    const claim = kind.claim?.(wanted);
    return claim ? [{ ...claim, kind, path: [...place, ...(claim.path ?? [])] }] : [];
  });
}

/** @param ownerOf the file that has it; undefined: none has */
export function clashes(
  { file, at, claims }: LoadedFile,
  ownerOf: (claim: FileClaim) => string | undefined
): ProvisioningFinding[] {
  const base = { rule: 'other-file', verdict: 'error', title: 'Another file provisions this' } as const;
  return claims.flatMap((claim) => {
    const owner = ownerOf(claim);
    const detail = `${claim.label} is provisioned by ${owner}: keep it in one of the two.`;
    return owner === undefined || owner === file ? [] : [at(claim.path, { ...base, detail })];
  });
}
