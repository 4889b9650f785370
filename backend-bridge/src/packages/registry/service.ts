/**
 * The package registry. A change is decided on the row that was read; the writer rejects it when the row has changed since,
 * and the decision is repeated.
 */
import type { Actor } from '../../../contract/audit.ts';
import type { PackageDetail, RegisterBody } from '../../../contract/package.ts';
import type { PackageRow } from '../../platform/storage/schema.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { installSettings } from '../../monitoring/thresholds/install.ts';
import { shippedEndpoints, shippedOff, type ShippedPackage } from '../../monitoring/thresholds/shipped.ts';
import type { SettingsStore } from '../../monitoring/thresholds/store.ts';
import type { validatePackage } from '../../validation/package/validatePackage.ts';
import { createPackageCache } from './cache.ts';
import { changeOf, isApproved, putOf, removalOf } from './change.ts';
import {
  alreadyRegistered,
  changedMeanwhile,
  notRegistered,
  otherName,
  refusedDisclaimer,
  refusedDowngrade,
  refusedFiles,
  refusedProvisioned,
} from './errors.ts';
import { createProvisioner } from './provisioning.ts';
import { createReading, type Describing, type ValidatedBody } from './reading.ts';
import type { PackageStore } from './store.ts';
import type { DashboardsOf, Submit } from './types.ts';
import type { PackagePut } from './writes.ts';
import { changePackages } from './writes.ts';

export interface RegistryDeps {
  store: PackageStore;
  writes: Pick<WriteQueue, 'submit'>;
  validate: typeof validatePackage;
  dashboardsOf: DashboardsOf;
  /** The version of the node; undefined if not configured. */
  nodeVersion: string | undefined;
  /** Settings of packages, including unregistered ones. */
  settings: Pick<SettingsStore, 'ofPackage' | 'mutedCategories'>;
  /** UTC milliseconds. */
  now: () => number;
}

export type Registry = ReturnType<typeof createRegistry>;

export function createRegistry(deps: RegistryDeps) {
  const { store, validate, now } = deps;
  const cache = createPackageCache(deps);
  const submit: Submit = async (changes) =>
    (await deps.writes.submit(changePackages, { puts: [], removals: [], ...changes })).conflict;
  const { describe, validateBody, ...reading } = createReading({ ...deps, cache });
  return {
    ...reading,
    ...createRegistering({ store, settings: deps.settings, submit, now, describe, validateBody }),
    ...createProvisioner({ store, validate, now, submit, world: (also) => cache.world(also) }),
  };
}

export interface RegisteringDeps extends Describing {
  store: PackageStore;
  settings: Pick<SettingsStore, 'ofPackage'>;
  submit: Submit;
  now: () => number;
}

/** Attempts when the row is changed concurrently. */
const ATTEMPTS = 3;

export function createRegistering(deps: RegisteringDeps) {
  const put = async (
    body: RegisterBody,
    by: Actor | undefined,
    check: (dnpName: string, row: PackageRow | undefined) => void
  ): Promise<PackageDetail> => {
    const validated = await deps.validateBody(body);
    const { dnpName } = acceptedFacts(validated, body).summary;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const row = await deps.store.row(dnpName);
      check(dnpName, row);
      const decided = await decide(row, validated, body, by, deps);
      if (decided === undefined || (await deps.submit({ puts: [decided] })) === null) {
        return deps.describe(decided?.row ?? (row as PackageRow));
      }
    }
    throw changedMeanwhile(dnpName);
  };

  return {
    /**
     * @param by the user, if known
     * @throws HttpProblem 400 for files with errors, 409 if it is already registered or a confirmation is missing
     */
    register: (body: RegisterBody, by: Actor | undefined): Promise<PackageDetail> =>
      put(body, by, (dnpName, row) => {
        if (row !== undefined) {
          refuseProvisioned(row);
          throw alreadyRegistered(dnpName, row.version);
        }
      }),
    /** @throws HttpProblem as `register`, and 404 */
    async update(path: string, body: RegisterBody, by: Actor | undefined): Promise<PackageDetail> {
      const check = (row: PackageRow | undefined): void => {
        if (row === undefined) {
          throw notRegistered(path);
        }
        refuseProvisioned(row);
      };
      check(await deps.store.row(path));
      return put(body, by, (dnpName, row) => {
        if (dnpName !== path) {
          throw otherName(path, dnpName);
        }
        check(row);
      });
    },
    /** @throws HttpProblem 404, 409 for provisioned packages */
    async remove(dnpName: string, by: Actor | undefined): Promise<void> {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const row = await deps.store.row(dnpName);
        if (row === undefined) {
          throw notRegistered(dnpName);
        }
        refuseProvisioned(row);
        if ((await deps.submit({ removals: [removalOf(row, by, deps.now())] })) === null) {
          return;
        }
      }
      throw changedMeanwhile(dnpName);
    },
  };
}

function refuseProvisioned(row: PackageRow): void {
  if (row.origin_file !== null) {
    throw refusedProvisioned(row.dnp_name, row.origin_file);
  }
}

function acceptedFacts(
  { validated }: ValidatedBody,
  body: RegisterBody
): NonNullable<ValidatedBody['validated']['facts']> {
  if (!validated.acceptable || validated.facts === undefined) {
    throw refusedFiles(validated.findings, (file) => typeof body[file] === 'string');
  }
  return validated.facts;
}

/** @returns undefined if nothing changes */
async function decide(
  row: PackageRow | undefined,
  validated: ValidatedBody,
  body: RegisterBody,
  by: Actor | undefined,
  { store, now, settings }: RegisteringDeps
): Promise<PackagePut | undefined> {
  const { texts, dialect } = validated;
  const facts = acceptedFacts(validated, body);
  const change = changeOf(row, facts.summary.version, texts);
  const set = await installSettings(facts.summary.dnpName, validated.validated, body.settings, {
    settings,
    by,
    now: now(),
  });
  if (change.kind === 'same' && set === undefined) {
    return undefined;
  }
  if ((change.kind === 'downgrade' || change.kind === 'changed') && body.allowDowngrade !== true) {
    throw refusedDowngrade(change);
  }
  const { disclaimer } = facts.facts;
  const accepted = body.disclaimerAccepted === true;
  if (disclaimer !== undefined && !accepted && !(await isApproved(store, row, disclaimer))) {
    throw refusedDisclaimer(facts.summary.dnpName);
  }
  return putOf({
    row,
    texts,
    facts,
    dialect,
    change,
    by,
    now: now(),
    approved: accepted ? disclaimer : undefined,
    off: shippedOff(shippedEndpoints(validated.validated)),
    settings: set,
  });
}

/** The registered packages with the endpoints that they ship. */
export async function shippedPackages(registry: Pick<Registry, 'cachedPackages'>): Promise<ShippedPackage[]> {
  return (await registry.cachedPackages()).map(({ header, extract }) => ({
    dnpName: header.dnp_name,
    version: header.version,
    ...(extract.card.icon !== undefined && { icon: extract.card.icon }),
    ...(header.origin_file !== null && { file: header.origin_file }),
    endpoints: extract.shipped,
  }));
}
