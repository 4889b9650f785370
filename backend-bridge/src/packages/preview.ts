/** What an admin is shown before registering. */
import semver from 'semver';
import type { JudgedPackage, PackageTexts } from '../validation/validatePackage.ts';
import type { PackagePreview } from '../../contract/package.ts';
import { warningsFor } from '../validation/updateDecision.ts';
import type { PackageRow } from '../storage/schema.ts';
import { changeOf } from './decide.ts';
import { allFindings, cardOf, endpointsOf, keepJudgement, relate } from './describe.ts';
import type { DashboardsOf } from './types.ts';
import type { PackageWorld } from './world.ts';

export interface PreviewParts {
  texts: PackageTexts;
  judged: JudgedPackage;
  /** What is registered under this name. */
  row: PackageRow | undefined;
  world: PackageWorld;
  dashboardsOf: DashboardsOf;
  /** Whether this disclaimer has been approved. */
  isApproved: (text: string) => Promise<boolean>;
  /** With what is set. */
  endpoints: PackagePreview['endpoints'];
}

export async function previewOf(parts: PreviewParts): Promise<PackagePreview> {
  const { texts, judged, row, world, dashboardsOf, isApproved, endpoints } = parts;
  const { facts, acceptable } = judged;
  if (facts === undefined) {
    return { acceptable, findings: judged.findings, warnings: [], notifications: endpointsOf(judged), endpoints };
  }
  const { dnpName, version } = facts.summary;
  const shown = { dnpName, version, texts, judged, targets: [], dashboards: [], filesDir: undefined };
  const kept = keepJudgement(shown, facts, dashboardsOf(shown));
  const related = relate(kept, world);
  const change = semver.valid(version) === null ? undefined : changeOf(row, version, texts);
  const { disclaimer } = facts.facts;
  return {
    acceptable,
    findings: allFindings(judged, related, texts.manifest),
    summary: cardOf(kept, related),
    facts: { ...facts.facts, dependencies: related.dependencies },
    ...(change && { change }),
    warnings: change ? warningsFor(change, { ...facts, warnings: facts.facts.warnings }) : [],
    notifications: endpointsOf(judged),
    endpoints,
    ...(related.nodeRequirement && { nodeRequirement: related.nodeRequirement }),
    ...(disclaimer !== undefined && { disclaimer: { message: disclaimer, approved: await isApproved(disclaimer) } }),
  };
}
