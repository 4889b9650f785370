/** Export and import of all settings that admins have configured, and the history of changes. */
import type { Actor } from '../../../contract/audit.ts';
import { foldCategory } from '../../../contract/notification.ts';
import type { ProblemError } from '../../../contract/problem.ts';
import { toProblemErrors } from '../../../contract/problem.ts';
import {
  type ExchangedSettings,
  type Imported,
  type SettingChange as HistoryEntry,
  type SettingsDocument,
  settingsDocumentSchema,
} from '../../../contract/settings.ts';
import { findBadText, show } from '../../../contract/text.ts';
import { invalid } from '../../platform/http/problem.ts';
import type { CategoryRow, SettingHistoryRow, SettingRow } from '../../platform/storage/schema.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { plainValue } from '../../validation/source/source.ts';
import { readYaml } from '../../validation/source/yaml.ts';
import { checkSettings, nameless } from './changes.ts';
import { NO_OVERLAY, overlaysOf, writtenSubject } from './overlay.ts';
import type { ShippedPackage } from './shipped.ts';
import type { SettingsStore } from './store.ts';
import { changeSettings, type SettingChange } from './writes.ts';

export interface ExchangeDeps {
  store: SettingsStore;
  writes: Pick<WriteQueue, 'submit'>;
  packages: () => Promise<ShippedPackage[]>;
  /** UTC milliseconds. */
  now: () => number;
}

export type SettingsExchange = ReturnType<typeof createSettingsExchange>;

export function createSettingsExchange({ store, writes, packages, now }: ExchangeDeps) {
  const validate = async (document: SettingsDocument) => {
    const [known, rows, categories] = await Promise.all([packages(), store.all(), store.categories()]);
    return documentChanges(document, { packages: known, rows, categories });
  };
  return {
    take: async (): Promise<SettingsDocument> => documentOf(await store.all(), await store.categories()),
    /**
     * Values out of range are left out and listed.
     * @param by the user, if known
     * @throws HttpProblem 400 for any other error; then nothing is changed
     */
    async put(
      given: string | Record<string, unknown>,
      { dryRun, by }: { dryRun: boolean; by: Actor | undefined }
    ): Promise<Imported> {
      const document = readDocument(given);
      for (;;) {
        const { notes, rejected, ...change } = await validate(document);
        const changed = change.changes.length + change.categories.length;
        if (dryRun || changed === 0) {
          return { changed, notes, rejected };
        }
        const { conflict } = await writes.submit(changeSettings, { ...change, by: by ?? null, now: now() });
        // A file has provisioned one of them meanwhile: validated again, that becomes a note.
        if (conflict === null) {
          return { changed, notes, rejected };
        }
      }
    },
    /** Newest first. */
    history: async (query: { dnpName?: readonly string[]; before?: number; limit: number }): Promise<HistoryEntry[]> =>
      (await store.history(query)).map(entryOf),
  };
}

function entryOf(row: SettingHistoryRow): HistoryEntry {
  const { id, ts, set_by: by, file, category, dnp_name: dnpName, correlation_id: correlationId } = row;
  const member = row.member === 'threshold' ? 'threshold' : 'enabled';
  const told = (value: number | null) => (value === null || member === 'threshold' ? value : value !== 0);
  return {
    id,
    at: new Date(ts).toISOString(),
    ...(by !== null && { by }),
    ...(file !== null && { file }),
    ...(category !== null && { category }),
    ...(dnpName !== null && { dnpName }),
    ...(correlationId !== null && { correlationId }),
    member,
    from: told(row.old_value),
    to: told(row.new_value),
  };
}

/** Sorted by code points, so that two documents can be compared line by line. */
export function documentOf(
  rows: readonly SettingRow[],
  categories: readonly Pick<CategoryRow, 'category' | 'enabled' | 'file'>[]
): SettingsDocument {
  const packages = bareRecord<ExchangedSettings>();
  for (const row of rows.filter(({ file }) => file === '')) {
    const { dnp_name: name, correlation_id: id, member, value } = row;
    const settings = (packages[name] ??= {});
    if (id === '') {
      settings.enabled = value !== 0;
    } else {
      const endpoints = (settings.endpoints ??= bareRecord());
      const endpoint = (endpoints[id] ??= {});
      Object.assign(
        endpoint,
        member === 'enabled' ? { enabled: value !== 0 } : { threshold: value, ...subjectMember(row) }
      );
    }
  }
  const switched = categories.filter(({ enabled, file }) => enabled === 0 && file === null).map((one) => one.category);
  return {
    apiVersion: 1,
    ...(switched.length > 0 && { categories: Object.fromEntries(switched.sort().map((name) => [name, false])) }),
    ...(Object.keys(packages).length > 0 && { packages }),
  };
}

/** Custom endpoints have no subject. */
const subjectMember = ({ subject }: SettingRow): { of?: string } => (subject ? { of: writtenSubject(subject) } : {});

/** Without inherited members: a package or an endpoint may be called constructor. */
const bareRecord = <T>(): Record<string, T> => Object.create(null) as Record<string, T>;

/** @throws HttpProblem 400 with all errors; of a text, with their lines */
export function readDocument(given: string | Record<string, unknown>): SettingsDocument {
  const value = typeof given === 'string' ? readText(given) : given;
  const bad = findBadText(value);
  if (bad.length > 0) {
    throw invalid(bad, 'the settings');
  }
  const result = settingsDocumentSchema.safeParse(value);
  if (!result.success) {
    const errors = toProblemErrors(result.error, value);
    throw invalid(errors.map(below), 'the settings');
  }
  return result.data;
}

const below = (error: ProblemError): ProblemError => ({
  ...error,
  pointer: error.pointer === '#' ? '/settings' : `/settings${error.pointer}`,
});

function readText(text: string): unknown {
  const { problems, root } = readYaml(text);
  if (problems.length > 0 || root === undefined) {
    const allowed = 'YAML or JSON, as in an export';
    const none: ProblemError = { pointer: '/settings', found: show(text), allowed, detail: 'The text is empty.' };
    const found = problems.map(({ start, message }): ProblemError => {
      const before = text.slice(0, start).split('\n');
      const detail = `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${message}`;
      return { ...none, found: show(text.slice(start, start + 40)), detail };
    });
    throw invalid(found.length > 0 ? found : [none], 'the settings');
  }
  return plainValue(root);
}

export interface DocumentChanges {
  changes: SettingChange[];
  categories: { category: string; enabled: boolean }[];
  notes: string[];
  /** Values out of range, which are not among the changes. */
  rejected: ProblemError[];
}

export interface DocumentContext {
  packages: readonly ShippedPackage[];
  rows: readonly SettingRow[];
  categories: readonly Pick<CategoryRow, 'category' | 'enabled' | 'file'>[];
}

/**
 * The changes that a document makes. Provisioned settings stay; settings that no package defines are stored for later; values out
 * of range are left out.
 * @throws HttpProblem 400 with all other errors
 */
export function documentChanges(
  document: SettingsDocument,
  { packages, rows, categories }: DocumentContext
): DocumentChanges {
  const byName = new Map(packages.map((one) => [one.dnpName, one]));
  const overlays = overlaysOf(rows);
  const mistakes: ProblemError[] = [];
  const result: DocumentChanges = { changes: [], categories: [], notes: [], rejected: [] };
  for (const [dnpName, settings] of Object.entries(document.packages ?? {})) {
    const overlay = overlays.get(dnpName) ?? NO_OVERLAY;
    const endpoints = byName.get(dnpName)?.endpoints;
    const at = ['settings', 'packages', dnpName];
    const checked = checkSettings(settings, { dnpName, endpoints, overlay, file: '', at });
    const isFixed = (one: SettingChange): boolean => (overlay.get(one.correlation_id, one.member)?.file ?? '') !== '';
    const isNew = ({ correlation_id: id, member, value, subject }: SettingChange): boolean => {
      const row = overlay.get(id, member);
      return row?.value !== value || (settings.endpoints?.[id]?.of !== undefined && row.subject !== subject);
    };
    mistakes.push(...nameless(dnpName, at), ...checked.mistakes);
    result.rejected.push(...checked.rejected);
    result.changes.push(...checked.changes.filter((one) => !isFixed(one) && isNew(one)));
    result.notes.push(
      ...(endpoints === undefined
        ? [`${dnpName} is not registered: its settings are stored and apply once it is.`]
        : []),
      ...checked.unknown.map(
        (id) => `${dnpName} has no endpoint ${show(id)}: its settings are stored and apply once it has.`
      ),
      ...checked.unfit.map(
        (id) => `The endpoint ${show(id)} of ${dnpName} has no such threshold: it is stored and applies once it has.`
      ),
      ...checked.changes.filter(isFixed).map((one) => `${nameOf(one)} is provisioned by a file and stays.`)
    );
  }
  for (const [name, enabled] of Object.entries(document.categories ?? {})) {
    const category = foldCategory(name);
    const known = categories.find((one) => one.category === category);
    mistakes.push(...nameless(category, ['settings', 'categories', name]));
    if ((known?.file ?? null) !== null) {
      result.notes.push(`The category ${show(category)} is provisioned by a file and stays.`);
    } else if ((known?.enabled ?? 1) !== Number(enabled)) {
      result.categories.push({ category, enabled });
    }
  }
  if (mistakes.length > 0) {
    throw invalid([...mistakes, ...result.rejected], 'the settings');
  }
  return result;
}

const nameOf = ({ dnp_name: name, correlation_id: id, member }: SettingChange): string =>
  `${member} of ${id === '' ? name : `${id} of ${name}`}`;
