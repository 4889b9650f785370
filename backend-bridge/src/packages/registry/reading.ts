/** Lists, details and previews of packages. */
import semver from 'semver';
import { DEFAULT_DIALECT, type Dialect } from '../../../contract/finding.ts';
import type {
  PackageBody,
  PackageDetail,
  PackageFiles,
  PackagePreview,
  PackageSummary,
} from '../../../contract/package.ts';
import type { PackageRow } from '../../platform/storage/schema.ts';
import { previewEndpoints } from '../../monitoring/thresholds/install.ts';
import type { SettingsStore } from '../../monitoring/thresholds/store.ts';
import { VERSION } from '../../validation/manifest/schema.ts';
import { warningsFor } from '../../validation/updateDecision.ts';
import type { ValidatedPackage, validatePackage, PackageTexts } from '../../validation/package/validatePackage.ts';
import { factsOf, validateRow, type PackageCache, type CachedPackage } from './cache.ts';
import { changeOf, isApproved, textsOfBody, textsOfRow } from './change.ts';
import { allFindings, cardOf, detailOf, endpointsOf, extractOf, relate, summaryOf } from './describe.ts';
import { notRegistered } from './errors.ts';
import type { PackageStore } from './store.ts';
import type { DashboardsOf, PackageWorld, RegisteredPackage } from './types.ts';

export interface ValidatedBody {
  texts: PackageTexts;
  dialect: Dialect;
  validated: ValidatedPackage;
  world: PackageWorld;
}

export interface ReadingDeps {
  store: PackageStore;
  cache: PackageCache;
  validate: typeof validatePackage;
  dashboardsOf: DashboardsOf;
  settings: Pick<SettingsStore, 'ofPackage' | 'mutedCategories'>;
}

const SHOWN_HISTORY = 50;

/** The part that the registry itself uses. */
export type Describing = Pick<ReturnType<typeof createReading>, 'describe' | 'validateBody'>;

export function createReading({ store, cache, validate, dashboardsOf, settings }: ReadingDeps) {
  const describe = async (row: PackageRow): Promise<PackageDetail> => {
    const [world, approval, history] = await Promise.all([
      cache.world(),
      store.approval(row.dnp_name, row.registered_ts),
      store.history(row.dnp_name, SHOWN_HISTORY),
    ]);
    const registered = validateRow(row, validate, world);
    const facts = factsOf(registered);
    const extract = extractOf(registered, facts, dashboardsOf(registered));
    const { validated } = registered;
    return detailOf({ row, validated, facts, extract, related: relate(extract, world), approval, history });
  };
  const validateBody = async (body: PackageBody): Promise<ValidatedBody> => {
    const texts = textsOfBody(body);
    const dialect = body.dialect ?? DEFAULT_DIALECT;
    const world = await cache.world();
    return { texts, dialect, world, validated: validate(texts, { dialect, typeOf: world.typeOf }) };
  };
  return {
    describe,
    validateBody,
    /** Sorted by name. */
    async list(): Promise<PackageSummary[]> {
      const [all, world] = [await cache.all(), await cache.world()];
      return all.map(({ header, extract, fingerprint }) =>
        summaryOf(cardOf(extract, relate(extract, world)), header, fingerprint)
      );
    },
    /** @throws HttpProblem 404 */
    async detail(dnpName: string): Promise<PackageDetail> {
      return describe(await registeredRow(store, dnpName));
    },
    /** The texts of its files. @throws HttpProblem 404 */
    async files(dnpName: string): Promise<PackageFiles> {
      return textsOfRow(await registeredRow(store, dnpName));
    },
    /** Validates the files and returns what registering would do. Changes nothing. */
    async preview(body: PackageBody): Promise<PackagePreview> {
      const { texts, validated, world } = await validateBody(body);
      const row = validated.manifest && (await store.row(validated.manifest.name));
      const approved = (text: string) => isApproved(store, row, text);
      const endpoints = await previewEndpoints(validated, body.settings, world, settings);
      return previewOf({ texts, validated, row, world, dashboardsOf, isApproved: approved, endpoints });
    },
    /** For other rooms: a package with its files; undefined if not registered. */
    async find(dnpName: string): Promise<RegisteredPackage | undefined> {
      const row = await store.row(dnpName);
      return row && validateRow(row, validate, await cache.world());
    },
    /** For other rooms: every package, without its files. */
    cachedPackages: (): Promise<CachedPackage[]> => cache.all(),
    /** For backups: the file folders of all packages. */
    filesDirs: (): Promise<string[]> => store.filesDirs(),
  };
}

async function registeredRow(store: Pick<PackageStore, 'row'>, dnpName: string): Promise<PackageRow> {
  const row = await store.row(dnpName);
  if (row === undefined) {
    throw notRegistered(dnpName);
  }
  return row;
}

export interface PreviewParts {
  texts: PackageTexts;
  validated: ValidatedPackage;
  /** The registered package of this name. */
  row: PackageRow | undefined;
  world: PackageWorld;
  dashboardsOf: DashboardsOf;
  /** Whether this disclaimer has been accepted. */
  isApproved: (text: string) => Promise<boolean>;
  /** Endpoints with their settings. */
  endpoints: PackagePreview['endpoints'];
}

export async function previewOf(parts: PreviewParts): Promise<PackagePreview> {
  const { texts, validated, row, world, dashboardsOf, isApproved, endpoints } = parts;
  const { facts, acceptable } = validated;
  if (facts === undefined) {
    return { acceptable, findings: validated.findings, warnings: [], notifications: endpointsOf(validated), endpoints };
  }
  const { dnpName, version } = facts.summary;
  const shown = { dnpName, version, texts, validated, targets: [], dashboards: [], filesDir: undefined };
  const extract = extractOf(shown, facts, dashboardsOf(shown));
  const related = relate(extract, world);
  const change = !VERSION.test(version) && semver.valid(version) === null ? undefined : changeOf(row, version, texts);
  const { disclaimer } = facts.facts;
  return {
    acceptable,
    findings: allFindings(validated, related, texts.manifest),
    summary: cardOf(extract, related),
    facts: { ...facts.facts, dependencies: related.dependencies },
    ...(change && { change }),
    warnings: change ? warningsFor(change, { ...facts, warnings: facts.facts.warnings }) : [],
    notifications: endpointsOf(validated),
    endpoints,
    ...(related.nodeRequirement && { nodeRequirement: related.nodeRequirement }),
    ...(disclaimer !== undefined && { disclaimer: { message: disclaimer, approved: await isApproved(disclaimer) } }),
  };
}
