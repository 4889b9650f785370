/** Applies the packages of provisioning files, each file atomically. */
import { DEFAULT_DIALECT } from '../../../contract/finding.ts';
import { mapInTurns } from '../../platform/runtime/steps.ts';
import type { PackageRow } from '../../platform/storage/schema.ts';
import { shippedEndpoints, shippedOff } from '../../monitoring/thresholds/shipped.ts';
import type { validatePackage } from '../../validation/package/validatePackage.ts';
import { changeOf, isApproved, jsonOfShipped, putOf, removalOf } from './change.ts';
import { changedMeanwhile } from './errors.ts';
import type { PackageStore } from './store.ts';
import type {
  AppliedProvision,
  PackageWorld,
  ProvisionedPackage,
  ProvisionedRegistry,
  ProvisionMistake,
  Submit,
} from './types.ts';
import type { ChangePackages, PackagePut } from './writes.ts';

export interface ProvisionerDeps {
  store: PackageStore;
  validate: typeof validatePackage;
  now: () => number;
  submit: Submit;
  world: (also: ReadonlyMap<string, { type: string; version: string }>) => Promise<PackageWorld>;
}

type Validated = { given: ProvisionedPackage; index: number } & ReturnType<typeof validatePackage>;

const ATTEMPTS = 3;

export function createProvisioner(deps: ProvisionerDeps): ProvisionedRegistry {
  return {
    async applyProvisioned(file, packages, kept = []) {
      const validated = await validateAll(packages, deps);
      let conflict: string | null = null;
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const plan = await planOf({ file, validated, kept }, deps);
        if (!plan.applied) {
          return plan;
        }
        conflict = plan.isEmpty ? null : await deps.submit(plan.changes);
        if (conflict === null) {
          return { applied: true, packages: plan.packages, removed: plan.removed };
        }
      }
      throw changedMeanwhile(conflict ?? file);
    },
    async provisionedFiles() {
      const files = new Map<string, string[]>();
      for (const { dnp_name: name, origin_file: file } of await deps.store.headers()) {
        if (file !== null) {
          files.set(file, [...(files.get(file) ?? []), name]);
        }
      }
      return [...files].map(([file, packages]) => ({ file, packages }));
    },
  };
}

/** Libraries are validated twice, since the types of their dependencies may be defined later in the file. */
async function validateAll(packages: readonly ProvisionedPackage[], deps: ProvisionerDeps): Promise<Validated[]> {
  const first = await mapInTurns(packages, (given) => validateOne(given, undefined, deps));
  const known = first.flatMap(({ facts }) => (facts ? [[facts.summary.dnpName, facts.summary] as const] : []));
  const { typeOf } = await deps.world(new Map(known));
  const validated = await mapInTurns(first, (one, index) =>
    one.facts?.summary.type === 'library' ? validateOne(packages[index] as ProvisionedPackage, typeOf, deps) : one
  );
  return validated.map((one, index) => ({ ...one, given: packages[index] as ProvisionedPackage, index }));
}

function validateOne(
  { texts, dialect = DEFAULT_DIALECT }: ProvisionedPackage,
  typeOf: PackageWorld['typeOf'] | undefined,
  { validate }: ProvisionerDeps
): ReturnType<typeof validatePackage> {
  return validate(texts, { dialect, ...(typeOf && { typeOf }) });
}

type Plan =
  | (Extract<AppliedProvision, { applied: true }> & { changes: ChangePackages; isEmpty: boolean })
  | Extract<AppliedProvision, { applied: false }>;

async function planOf(
  { file, validated, kept }: { file: string; validated: readonly Validated[]; kept: readonly string[] },
  deps: ProvisionerDeps
): Promise<Plan> {
  const names = validated.flatMap(({ facts }) => (facts ? [facts.summary.dnpName] : []));
  const rows = new Map((await deps.store.rows(names)).map((row) => [row.dnp_name, row]));
  const mistakes: ProvisionMistake[] = [];
  for (const [at, one] of validated.entries()) {
    const row = rows.get(one.facts?.summary.dnpName ?? '');
    const mistake = mistakeOf(one, validated.slice(0, at)) ?? (await unapproved(one, row, deps));
    if (mistake) {
      const dnpName = one.facts?.summary.dnpName;
      mistakes.push({
        ...mistake,
        index: one.index,
        ...(dnpName !== undefined && { dnpName }),
        findings: one.findings,
      });
    }
  }
  if (mistakes.length > 0) {
    return { applied: false, mistakes };
  }
  const now = deps.now();
  const packages = validated.map((one) => changeFor(one, rows, file, now));
  const puts = packages.flatMap(({ put }) => (put ? [put] : []));
  const dropped = (await deps.store.headers()).filter(
    ({ origin_file: origin, dnp_name: name }) => origin === file && !names.includes(name) && !kept.includes(name)
  );
  return {
    applied: true,
    packages: packages.map(({ put: _put, ...change }) => change),
    removed: dropped.map(({ dnp_name: name }) => name),
    changes: { puts, removals: dropped.map((header) => removalOf(header, { kind: 'file', name: file }, now)) },
    isEmpty: puts.length + dropped.length === 0,
  };
}

type Mistake = Pick<ProvisionMistake, 'kind' | 'message'>;

function mistakeOf(one: Validated, before: readonly Validated[]): Mistake | undefined {
  if (!one.acceptable || one.facts === undefined) {
    const errors = one.findings.filter(({ verdict }) => verdict === 'error').length;
    return {
      kind: 'findings',
      message: `The package has ${errors === 1 ? 'an error' : `${errors} errors`}.`,
    };
  }
  const { dnpName } = one.facts.summary;
  return before.some(({ facts }) => facts?.summary.dnpName === dnpName)
    ? { kind: 'duplicate', message: `${dnpName} is listed twice in this file. Remove one.` }
    : undefined;
}

async function unapproved(
  { given, facts }: Validated,
  row: PackageRow | undefined,
  { store }: ProvisionerDeps
): Promise<Mistake | undefined> {
  const disclaimer = facts?.facts.disclaimer;
  if (disclaimer === undefined || given.disclaimerAccepted === true || (await isApproved(store, row, disclaimer))) {
    return undefined;
  }
  return {
    kind: 'disclaimer',
    message: `${facts?.summary.dnpName ?? ''} has a disclaimer that must be accepted. Read it, then set "disclaimerAccepted: true".`,
  };
}

function changeFor(
  validated: Validated,
  rows: ReadonlyMap<string, PackageRow>,
  file: string,
  now: number
): Extract<AppliedProvision, { applied: true }>['packages'][number] & { put: PackagePut | undefined } {
  const { given, facts, findings } = validated;
  if (facts === undefined) {
    throw new Error('cannot register a package that could not be parsed');
  }
  const { dnpName, version } = facts.summary;
  const row = rows.get(dnpName);
  const change = changeOf(row, version, given.texts);
  const put = putOf({
    row,
    texts: given.texts,
    facts,
    dialect: given.dialect ?? DEFAULT_DIALECT,
    change,
    by: { kind: 'file', name: file },
    now,
    approved: change.kind === 'same' || given.disclaimerAccepted !== true ? undefined : facts.facts.disclaimer,
    off: shippedOff(shippedEndpoints(validated)),
    provisioned: {
      targets: jsonOfShipped(given.targets),
      dashboards: jsonOfShipped(given.dashboards),
      files_dir: given.filesDir ?? null,
      origin_file: file,
    },
  });
  const isKept = row !== undefined && isSameRow(row, put.row);
  return { dnpName, change, findings, put: isKept ? undefined : put };
}

/** Compares rows except for the revision, which is always different. */
function isSameRow(a: PackageRow, b: PackageRow): boolean {
  return (Object.keys(b) as (keyof PackageRow)[]).every((column) => column === 'revision' || a[column] === b[column]);
}
