/** What is told of registered packages, and of those that might be. */
import type { Dialect } from '../../contract/finding.ts';
import type { JudgedPackage, judgePackage, PackageTexts } from '../validation/validatePackage.ts';
import type {
  PackageBody,
  PackageDetail,
  PackageFiles,
  PackagePreview,
  PackageSummary,
} from '../../contract/package.ts';
import type { PackageRow } from '../storage/schema.ts';
import { previewEndpoints } from '../thresholds/install.ts';
import type { SettingsStore } from '../thresholds/store.ts';
import { textsOfBody, textsOfRow } from './content.ts';
import { isApproved } from './decide.ts';
import { cardOf, detailOf, keepJudgement, relate, summaryOf } from './describe.ts';
import { previewOf } from './preview.ts';
import { notRegistered } from './refusals.ts';
import { factsOf, judgeRow, type Shelf, type Shelved } from './shelf.ts';
import type { PackageStore } from './store.ts';
import type { DashboardsOf, RegisteredPackage } from './types.ts';
import type { PackageWorld } from './world.ts';

export interface PackageReading {
  /** By name. */
  list(): Promise<PackageSummary[]>;
  /** @throws HttpProblem 404 */
  detail(dnpName: string): Promise<PackageDetail>;
  /** The texts of its files. @throws HttpProblem 404 */
  files(dnpName: string): Promise<PackageFiles>;
  /** Judges, and says what registering would do. Changes nothing. */
  preview(body: PackageBody): Promise<PackagePreview>;
  /** For other rooms: one package with its files; undefined when it is not registered. */
  find(dnpName: string): Promise<RegisteredPackage | undefined>;
  /** For other rooms: every package, without its texts. */
  shelved(): Promise<Shelved[]>;
  /** For backups: the folders of the files of all packages. */
  filesDirs(): Promise<string[]>;
}

export interface JudgedBody {
  texts: PackageTexts;
  dialect: Dialect;
  judged: JudgedPackage;
  world: PackageWorld;
}

/** For registering. */
export interface Describing {
  describe: (row: PackageRow) => Promise<PackageDetail>;
  judgeBody: (body: PackageBody) => Promise<JudgedBody>;
}

export interface ReadingDeps {
  store: PackageStore;
  shelf: Shelf;
  judge: typeof judgePackage;
  dashboardsOf: DashboardsOf;
  settings: Pick<SettingsStore, 'ofPackage' | 'mutedCategories'>;
}

const SHOWN_HISTORY = 50;

export function createReading({
  store,
  shelf,
  judge,
  dashboardsOf,
  settings,
}: ReadingDeps): PackageReading & Describing {
  const describe = async (row: PackageRow): Promise<PackageDetail> => {
    const [world, approval, history] = await Promise.all([
      shelf.world(),
      store.approval(row.dnp_name, row.registered_ts),
      store.history(row.dnp_name, SHOWN_HISTORY),
    ]);
    const registered = judgeRow(row, judge, world);
    const facts = factsOf(registered);
    const kept = keepJudgement(registered, facts, dashboardsOf(registered));
    const { judged } = registered;
    return detailOf({ row, judged, facts, kept, related: relate(kept, world), approval, history });
  };
  const judgeBody = async (body: PackageBody): Promise<JudgedBody> => {
    const texts = textsOfBody(body);
    const dialect = body.dialect ?? 'dappnode';
    const world = await shelf.world();
    return { texts, dialect, world, judged: judge(texts, { dialect, typeOf: world.typeOf }) };
  };
  return {
    describe,
    judgeBody,
    async list() {
      const [all, world] = [await shelf.all(), await shelf.world()];
      return all.map(({ header, kept, fingerprint }) =>
        summaryOf(cardOf(kept, relate(kept, world)), header, fingerprint)
      );
    },
    async detail(dnpName) {
      return describe(await registeredRow(store, dnpName));
    },
    async files(dnpName) {
      return textsOfRow(await registeredRow(store, dnpName));
    },
    async preview(body) {
      const { texts, judged, world } = await judgeBody(body);
      const row = judged.manifest && (await store.row(judged.manifest.name));
      const approved = (text: string) => isApproved(store, row, text);
      const endpoints = await previewEndpoints(judged, body.settings, world, settings);
      return previewOf({ texts, judged, row, world, dashboardsOf, isApproved: approved, endpoints });
    },
    async find(dnpName) {
      const row = await store.row(dnpName);
      return row && judgeRow(row, judge, await shelf.world());
    },
    shelved: () => shelf.all(),
    filesDirs: () => store.filesDirs(),
  };
}

async function registeredRow(store: Pick<PackageStore, 'row'>, dnpName: string): Promise<PackageRow> {
  const row = await store.row(dnpName);
  if (row === undefined) {
    throw notRegistered(dnpName);
  }
  return row;
}
