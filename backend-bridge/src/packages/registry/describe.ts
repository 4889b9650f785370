/** Summaries and details of packages, from validation results, other packages and provisioning. Pure. */
import type { Finding } from '../../../contract/finding.ts';
import type {
  Dependency,
  NodeRequirement,
  PackageDashboard,
  PackageDetail,
  PackageEndpoint,
  PackageSummary,
  TargetGroup,
} from '../../../contract/package.ts';
import { isoTime } from '../../../contract/text.ts';
import type { PackageApprovalRow, PackageHistoryRow, PackageRow } from '../../platform/storage/schema.ts';
import { shippedEndpoints } from '../../monitoring/thresholds/shipped.ts';
import type { ShippedEndpoint } from '../../monitoring/monitors/monitor.ts';
import type { ManifestFacts } from '../../validation/manifest/validateManifest.ts';
import type { ValidatedPackage } from '../../validation/package/validatePackage.ts';
import { fingerprintOf } from './fingerprint.ts';
import {
  dependencyStates,
  isLacking,
  nodeRequirement,
  placeFindings,
  type RelationFinding,
  relationFindings,
  targetsOf,
} from './relations.ts';
import type { PackageWorld, RegisteredPackage } from './types.ts';

type Counts = PackageSummary['findings'];
/** A summary without the members of the registry. */
export type Card = Omit<PackageSummary, 'origin' | 'fingerprint' | 'registeredAt' | 'registeredBy' | 'updatedAt'>;

/** The part of a validated package that is cached for lists and other rooms. */
export interface PackageExtract {
  /** From the package's own files; findings about other packages are added later. */
  card: Omit<Card, 'findings' | 'missingDependencies'>;
  counts: Counts;
  dependencies: ManifestFacts['facts']['dependencies'];
  minimumNodeVersion: string | undefined;
  targets: TargetGroup[];
  /** Findings about its targets. */
  targetFindings: RelationFinding[];
  shipped: ShippedEndpoint[];
}

export function extractOf(
  { validated, targets }: Pick<RegisteredPackage, 'validated' | 'targets'>,
  facts: ManifestFacts,
  dashboards: PackageDashboard[]
): PackageExtract {
  const read = targetsOf(facts.summary.dnpName, targets, validated.manifest?.['prometheusTargets']);
  return {
    card: {
      ...facts.summary,
      dashboards,
      endpoints: validated.endpoints.length + validated.customEndpoints.length,
    },
    counts: count(validated.findings),
    dependencies: facts.facts.dependencies,
    minimumNodeVersion: facts.facts.minimumNodeVersion,
    targets: read.groups,
    targetFindings: read.findings,
    shipped: shippedEndpoints(validated),
  };
}

export function count(findings: readonly Pick<Finding, 'verdict'>[], base?: Counts): Counts {
  const counts = { error: 0, warning: 0, note: 0, ...base };
  findings.forEach(({ verdict }) => {
    counts[verdict] += 1;
  });
  return counts;
}

export interface Related {
  dependencies: Dependency[];
  nodeRequirement: NodeRequirement | undefined;
  findings: RelationFinding[];
}

/** Relates a package to the registered packages and the node. */
export function relate(extract: PackageExtract, { versionOf, nodeVersion }: PackageWorld): Related {
  const dependencies = dependencyStates(extract.dependencies, versionOf);
  const required = nodeRequirement(extract.minimumNodeVersion, nodeVersion);
  const findings = [...relationFindings(dependencies, required), ...extract.targetFindings];
  return { dependencies, nodeRequirement: required, findings };
}

export function cardOf(extract: PackageExtract, related: Related): Card {
  return {
    ...extract.card,
    findings: count(related.findings, extract.counts),
    missingDependencies: related.dependencies.filter(isLacking).length,
  };
}

export type RegisterFacts = Pick<PackageRow, 'origin_file' | 'registered_ts' | 'registered_by' | 'updated_ts'>;

export function summaryOf(card: Card, row: RegisterFacts, fingerprint: string): PackageSummary {
  return {
    ...card,
    origin: row.origin_file === null ? { kind: 'api' } : { kind: 'file', file: row.origin_file },
    fingerprint,
    registeredAt: isoTime(row.registered_ts),
    ...(row.registered_by !== null && { registeredBy: row.registered_by }),
    updatedAt: isoTime(row.updated_ts),
  };
}

export interface DetailParts {
  row: PackageRow;
  validated: ValidatedPackage;
  facts: ManifestFacts;
  extract: PackageExtract;
  related: Related;
  approval: PackageApprovalRow | undefined;
  history: PackageHistoryRow[];
}

export function detailOf({ row, validated, facts, extract, related, approval, history }: DetailParts): PackageDetail {
  const { nodeRequirement: required } = related;
  return {
    ...summaryOf(cardOf(extract, related), row, fingerprintOf(row)),
    facts: { ...facts.facts, dependencies: related.dependencies },
    findingList: allFindings(validated, related, row.manifest),
    notifications: endpointsOf(validated),
    ...(required && { nodeRequirement: required }),
    backupAvailable: row.files_dir !== null && facts.facts.backup.length > 0,
    ...(approval && {
      approval: {
        text: approval.message,
        ...(approval.approved_by !== null && { by: approval.approved_by }),
        at: isoTime(approval.ts),
        version: approval.version,
      },
    }),
    history: history.map(historyOf),
  };
}

/** The findings of validation, merged with those about other packages. */
export function allFindings(validated: ValidatedPackage, related: Related, manifest: string): Finding[] {
  const added = placeFindings(related.findings, manifest);
  const ofManifest = validated.findings.filter(({ file }) => file === 'manifest');
  const others = validated.findings.filter(({ file }) => file !== 'manifest');
  return [...[...ofManifest, ...added].sort((a, b) => a.line - b.line || a.column - b.column), ...others];
}

function historyOf(row: PackageHistoryRow): PackageDetail['history'][number] {
  return {
    at: isoTime(row.ts),
    action: row.action as PackageDetail['history'][number]['action'],
    version: row.version,
    ...(row.from_version !== null && { from: row.from_version }),
    ...(row.done_by !== null && { by: row.done_by }),
  };
}

export function endpointsOf({ endpoints, customEndpoints }: ValidatedPackage): PackageEndpoint[] {
  return [
    ...endpoints.map(
      ({ correlationId, title, description, group, condition, conditions, metric, priority, ...one }) => ({
        correlationId,
        kind: 'monitored' as const,
        title,
        ...(description !== undefined && { description }),
        ...(group !== undefined && { category: group }),
        ...(conditions[0] !== undefined && { condition: conditions[0] }),
        ...(metric && condition?.number && { threshold: condition.number.value }),
        ...(metric && { metric }),
        ...(priority !== undefined && { priority }),
        isBanner: one.isBanner,
        enabled: one.enabled,
      })
    ),
    ...customEndpoints.map(({ correlationId, name, description, metric, isBanner, enabled }) => ({
      correlationId,
      kind: 'custom' as const,
      title: name,
      ...(description !== undefined && { description }),
      ...(metric && { threshold: metric.threshold, metric: rangeOf(metric) }),
      isBanner,
      enabled,
    })),
  ];
}

const rangeOf = ({ min, max, unit }: NonNullable<PackageEndpoint['metric']>): PackageEndpoint['metric'] => ({
  min,
  max,
  ...(unit !== undefined && { unit }),
});
