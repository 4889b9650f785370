/**
 * The registry: which packages are registered, in which version, with which files. What is decided here is decided on a row
 * that was read; the writer refuses when it has changed since, and then it is decided again.
 */
import type { Dialect } from '../../contract/finding.ts';
import type { judgePackage } from '../../contract/judgePackage.ts';
import type {
  PackageBody,
  PackageDetail,
  PackagePreview,
  PackageSummary,
  RegisterBody,
} from '../../contract/package.ts';
import type { PackageRow } from '../storage/schema.ts';
import type { WriteQueue } from '../storage/writeQueue.ts';
import { putOf, removalOf } from './changes.ts';
import { textsOfBody } from './content.ts';
import { changeOf, isApproved } from './decide.ts';
import { cardOf, detailOf, keepJudgement, relate, summaryOf } from './describe.ts';
import { previewOf } from './preview.ts';
import { createProvisioner } from './provision.ts';
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
import { createShelf, factsOf, judgeRow, type Shelved } from './shelf.ts';
import type { PackageStore } from './store.ts';
import type { DashboardsOf, ProvisionedRegistry, RegisteredPackage } from './types.ts';
import type { ChangePackages } from './writes.ts';

export interface Registry extends ProvisionedRegistry {
  /** By name. */
  list(): Promise<PackageSummary[]>;
  /** @throws HttpProblem 404 */
  detail(dnpName: string): Promise<PackageDetail>;
  /** Judges, and says what registering would do. Changes nothing. */
  preview(body: PackageBody): Promise<PackagePreview>;
  /**
   * @param by who, where that is known
   * @throws HttpProblem 400 for files with errors, 409 for what is registered already or not approved
   */
  register(body: RegisterBody, by: string | undefined): Promise<PackageDetail>;
  /** @throws HttpProblem as `register`, and 404 */
  update(dnpName: string, body: RegisterBody, by: string | undefined): Promise<PackageDetail>;
  /** @throws HttpProblem 404, 409 for one that is provisioned */
  remove(dnpName: string, by: string | undefined): Promise<void>;
  /** For other rooms: one package with its files; undefined when it is not registered. */
  find(dnpName: string): Promise<RegisteredPackage | undefined>;
  /** For other rooms: every package, without its texts. */
  shelved(): Promise<Shelved[]>;
}

export interface RegistryDeps {
  store: PackageStore;
  writes: Pick<WriteQueue, 'submit'>;
  judge: typeof judgePackage;
  dashboardsOf: DashboardsOf;
  /** Of the node that the bridge runs for; undefined where nobody has said it. */
  nodeVersion: string | undefined;
  /** UTC milliseconds. */
  now: () => number;
}

const SHOWN_HISTORY = 50;
/** Decisions on a row that somebody changed meanwhile. */
const ATTEMPTS = 3;

export function createRegistry(deps: RegistryDeps): Registry {
  const { store, judge, now } = deps;
  const shelf = createShelf(deps);

  /** @returns the package that has changed meanwhile */
  const submit = async (changes: Partial<ChangePackages>): Promise<string | null> =>
    (await deps.writes.submit('changePackages', { puts: [], removals: [], ...changes })).conflict;

  const rowOf = async (dnpName: string): Promise<PackageRow> => {
    const row = await store.row(dnpName);
    if (row === undefined) {
      throw notRegistered(dnpName);
    }
    return row;
  };

  const describe = async (row: PackageRow): Promise<PackageDetail> => {
    const world = await shelf.world();
    const registered = judgeRow(row, judge, world);
    const facts = factsOf(registered);
    const kept = keepJudgement(registered, facts, deps.dashboardsOf(registered));
    const [approvals, history] = await Promise.all([
      store.approvals(row.dnp_name, row.registered_ts),
      store.history(row.dnp_name, SHOWN_HISTORY),
    ]);
    const related = relate(kept, world);
    return detailOf({ row, judged: registered.judged, facts, kept, related, approval: approvals[0], history });
  };

  const judgeBody = async (body: PackageBody) => {
    const texts = textsOfBody(body);
    const dialect: Dialect = body.dialect ?? 'dappnode';
    const world = await shelf.world();
    return { texts, dialect, world, judged: judge(texts, { dialect, typeOf: world.typeOf }) };
  };

  const put = async (
    body: RegisterBody,
    by: string | undefined,
    check: (dnpName: string, row: PackageRow | undefined) => void
  ): Promise<PackageDetail> => {
    const { texts, dialect, judged } = await judgeBody(body);
    const { facts } = judged;
    if (!judged.acceptable || facts === undefined) {
      throw refusedFiles(judged.findings, (file) => typeof body[file] === 'string');
    }
    const { dnpName } = facts.summary;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const row = await store.row(dnpName);
      check(dnpName, row);
      const change = changeOf(row, facts.summary.version, texts);
      if (row && change.kind === 'same') {
        return describe(row);
      }
      if ((change.kind === 'downgrade' || change.kind === 'changed') && body.allowDowngrade !== true) {
        throw refusedDowngrade(change);
      }
      const { disclaimer } = facts.facts;
      if (disclaimer !== undefined && body.disclaimerAccepted !== true && !(await isApproved(store, row, disclaimer))) {
        throw refusedDisclaimer(dnpName);
      }
      const approved = body.disclaimerAccepted === true ? disclaimer : undefined;
      const putting = putOf({ row, texts, facts, dialect, change, by, now: now(), approved });
      if ((await submit({ puts: [putting] })) === null) {
        return describe(putting.row);
      }
    }
    throw changedMeanwhile(dnpName);
  };

  return {
    async list() {
      const [all, world] = [await shelf.all(), await shelf.world()];
      return all.map(({ header, kept }) => summaryOf(cardOf(kept, relate(kept, world)), header));
    },
    async detail(dnpName) {
      return describe(await rowOf(dnpName));
    },
    async preview(body) {
      const { texts, judged, world } = await judgeBody(body);
      const row = judged.manifest && (await store.row(judged.manifest.name));
      return previewOf({
        texts,
        judged,
        row,
        world,
        dashboardsOf: deps.dashboardsOf,
        isApproved: (text) => isApproved(store, row, text),
      });
    },
    register: (body, by) =>
      put(body, by, (dnpName, row) => {
        if (row !== undefined) {
          throw alreadyRegistered(dnpName, row.version);
        }
      }),
    async update(path, body, by) {
      await rowOf(path);
      return put(body, by, (dnpName, row) => {
        if (dnpName !== path) {
          throw otherName(path, dnpName);
        }
        if (row === undefined) {
          throw notRegistered(path);
        }
        refuseProvisioned(row);
      });
    },
    async remove(dnpName, by) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const row = await rowOf(dnpName);
        refuseProvisioned(row);
        if ((await submit({ removals: [removalOf(row, by, now())] })) === null) {
          return;
        }
      }
      throw changedMeanwhile(dnpName);
    },
    async find(dnpName) {
      const row = await store.row(dnpName);
      return row && judgeRow(row, judge, await shelf.world());
    },
    shelved: () => shelf.all(),
    ...createProvisioner({ store, judge, now, submit, world: (also) => shelf.world(also) }),
  };
}

function refuseProvisioned(row: PackageRow): void {
  if (row.origin_file !== null) {
    throw refusedProvisioned(row.dnp_name, row.origin_file);
  }
}
