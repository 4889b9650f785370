/** Settings in the request that registers a package. */
import type { Actor } from '../../../contract/audit.ts';
import type { Endpoint, PackageSettings } from '../../../contract/endpoint.ts';
import type { ValidatedPackage } from '../../validation/package/validatePackage.ts';
import type { ProblemError } from '../../../contract/problem.ts';
import { show, toPointer } from '../../../contract/text.ts';
import { invalid } from '../../platform/http/problem.ts';
import type { SettingRow } from '../../platform/storage/schema.ts';
import { type CheckedSettings, checkSettings, unknownEndpoint } from './changes.ts';
import { overlayOf } from './overlay.ts';
import { presentEndpoint } from './present.ts';
import { shippedEndpoints } from './shipped.ts';
import type { SettingsStore } from './store.ts';
import type { ShippedEndpoint } from '../monitors/monitor.ts';
import type { ChangeSettings, SettingChange } from './writes.ts';

interface InstallContext {
  settings: Pick<SettingsStore, 'ofPackage'>;
  by: Actor | undefined;
  /** UTC milliseconds. */
  now: number;
}

/**
 * @returns undefined without settings
 * @throws HttpProblem 400 with all errors
 */
export async function installSettings(
  dnpName: string,
  validated: ValidatedPackage,
  given: PackageSettings | undefined,
  { settings, by, now }: InstallContext
): Promise<ChangeSettings | undefined> {
  if (given === undefined) {
    return undefined;
  }
  const { changes } = checkAll(dnpName, shippedEndpoints(validated), given, await settings.ofPackage(dnpName));
  return changes.length === 0 ? undefined : { changes, by: by ?? null, now };
}

/**
 * The endpoints of a package with these settings.
 * @throws HttpProblem 400 with all errors
 */
export async function previewEndpoints(
  validated: ValidatedPackage,
  given: PackageSettings | undefined,
  { versionOf }: { versionOf: (dnpName: string) => string | undefined },
  settings: Pick<SettingsStore, 'ofPackage' | 'mutedCategories'>
): Promise<Endpoint[]> {
  const dnpName = validated.facts?.summary.dnpName ?? '';
  const endpoints = shippedEndpoints(validated);
  const [rows, mutedCategories] = await Promise.all([settings.ofPackage(dnpName), settings.mutedCategories()]);
  const { changes } = checkAll(dnpName, endpoints, given ?? {}, rows);
  const overlay = overlayOf([...changes.flatMap(rowOf), ...rows.filter((row) => !changes.some(isOf(row)))]);
  const around = {
    versionOf,
    mutedCategories,
    effectsOf: () => [],
    hasHistory: () => false,
    isForGatus: true,
    problemsOf: () => [],
  };
  return endpoints.map((one) => presentEndpoint(dnpName, one, overlay, around));
}

function checkAll(
  dnpName: string,
  endpoints: readonly ShippedEndpoint[],
  given: PackageSettings,
  rows: readonly SettingRow[]
): CheckedSettings {
  const options = { dnpName, endpoints, overlay: overlayOf(rows), file: '', at: ['settings'] };
  const checked = checkSettings(given, options);
  const unknown = checked.unknown.map((id): ProblemError => ({
    pointer: toPointer(['settings', 'endpoints', id]),
    found: show(id),
    allowed: 'the correlationId of an endpoint of this package',
    detail: unknownEndpoint(id, endpoints),
  }));
  const mistakes = [...checked.mistakes, ...checked.rejected, ...unknown];
  if (mistakes.length > 0) {
    throw invalid(mistakes, 'the body');
  }
  return checked;
}

const isOf =
  (row: SettingRow) =>
  (change: SettingChange): boolean =>
    change.correlation_id === row.correlation_id && change.member === row.member && change.file === row.file;

function rowOf({ value, ...change }: SettingChange): SettingRow[] {
  return value === null ? [] : [{ ...change, value, ts: 0, set_by: null }];
}
