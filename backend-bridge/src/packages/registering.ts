/** Registering, updating and removing over HTTP. */
import type { PackageDetail, RegisterBody } from '../../contract/package.ts';
import type { PackageRow } from '../storage/schema.ts';
import { installSettings } from '../thresholds/install.ts';
import type { SettingsStore } from '../thresholds/store.ts';
import { shippedEndpoints, shippedOff } from '../thresholds/shipped.ts';
import { putOf, removalOf } from './changes.ts';
import { changeOf, isApproved } from './decide.ts';
import type { Describing, JudgedBody } from './reading.ts';
import {
  alreadyRegistered,
  changedMeanwhile,
  notRegistered,
  otherName,
  refusedDisclaimer,
  refusedDowngrade,
  refusedFiles,
  refusedProvisioned,
} from './refusals.ts';
import type { PackageStore } from './store.ts';
import type { Submit } from './types.ts';
import type { PackagePut } from './writes.ts';

export interface PackageRegistering {
  /**
   * @param by who, where that is known
   * @throws HttpProblem 400 for files with errors, 409 for what is registered already or not approved
   */
  register(body: RegisterBody, by: string | undefined): Promise<PackageDetail>;
  /** @throws HttpProblem as `register`, and 404 */
  update(dnpName: string, body: RegisterBody, by: string | undefined): Promise<PackageDetail>;
  /** @throws HttpProblem 404, 409 for one that is provisioned */
  remove(dnpName: string, by: string | undefined): Promise<void>;
}

export interface RegisteringDeps extends Describing {
  store: PackageStore;
  settings: Pick<SettingsStore, 'ofPackage'>;
  submit: Submit;
  now: () => number;
}

/** Decisions on a row that somebody changed meanwhile. */
const ATTEMPTS = 3;

export function createRegistering(deps: RegisteringDeps): PackageRegistering {
  const put = async (
    body: RegisterBody,
    by: string | undefined,
    check: (dnpName: string, row: PackageRow | undefined) => void
  ): Promise<PackageDetail> => {
    const judged = await deps.judgeBody(body);
    const { dnpName } = acceptedFacts(judged, body).summary;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const row = await deps.store.row(dnpName);
      check(dnpName, row);
      const decided = await decide(row, judged, body, by, deps);
      if (decided === undefined || (await deps.submit({ puts: [decided] })) === null) {
        return deps.describe(decided?.row ?? (row as PackageRow));
      }
    }
    throw changedMeanwhile(dnpName);
  };

  return {
    register: (body, by) =>
      put(body, by, (dnpName, row) => {
        if (row !== undefined) {
          refuseProvisioned(row);
          throw alreadyRegistered(dnpName, row.version);
        }
      }),
    async update(path, body, by) {
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
    async remove(dnpName, by) {
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

function acceptedFacts({ judged }: JudgedBody, body: RegisterBody): NonNullable<JudgedBody['judged']['facts']> {
  if (!judged.acceptable || judged.facts === undefined) {
    throw refusedFiles(judged.findings, (file) => typeof body[file] === 'string');
  }
  return judged.facts;
}

/** @returns undefined when there is nothing to change */
async function decide(
  row: PackageRow | undefined,
  judged: JudgedBody,
  body: RegisterBody,
  by: string | undefined,
  { store, now, settings }: RegisteringDeps
): Promise<PackagePut | undefined> {
  const { texts, dialect } = judged;
  const facts = acceptedFacts(judged, body);
  const change = changeOf(row, facts.summary.version, texts);
  const set = await installSettings(facts.summary.dnpName, judged.judged, body.settings, { settings, by, now: now() });
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
    off: shippedOff(shippedEndpoints(judged.judged)),
    settings: set,
  });
}
