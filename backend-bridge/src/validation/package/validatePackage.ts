/** Validates the files of a package together. Pure. */
import { type Dialect, FILE_KINDS, type Finding } from '../../../contract/finding.ts';
import type { PackageIdentity } from '../composeRules.ts';
import {
  openManifest,
  validateManifest,
  type ValidationOptions,
  type Manifest,
  type ManifestFacts,
} from '../manifest/validateManifest.ts';
import {
  type CustomEndpointDefinition,
  type EndpointDefinition,
  type ValidatedNotifications,
  validateNotifications,
} from '../notifications/validateNotifications.ts';
import type { Source } from '../source/source.ts';
import { type ComposeFacts, validateCompose } from '../validateCompose.ts';

/**
 * The texts of the files. Pass objects as `JSON.stringify(object, null, 2)`. Without a notifications file, that in the manifest is
 * used.
 */
export interface PackageTexts {
  manifest: string;
  notifications?: string;
  compose?: string;
}

export interface ValidatedPackage {
  /** Whether the package can be registered: no finding is an error. */
  acceptable: boolean;
  /** Sorted by file (manifest, notifications, compose), then by position. */
  findings: Finding[];
  /** Absent if the manifest cannot be parsed. */
  manifest?: Manifest;
  facts?: ManifestFacts;
  endpoints: EndpointDefinition[];
  customEndpoints: CustomEndpointDefinition[];
  /** Absent without a compose file, or if it cannot be parsed. */
  compose?: ComposeFacts;
}

/** Validates the files of a package together. Never throws. */
export function validatePackage(
  { manifest, notifications, compose }: PackageTexts,
  options: Omit<ValidationOptions, 'compose'>
): ValidatedPackage {
  const opened = openManifest(manifest);
  const { source } = opened;
  const composed =
    compose === undefined ? { findings: [] } : validateCompose(compose, options.dialect, identityOf(source));
  const validated = validateManifest(opened, {
    ...options,
    ...(composed.facts && { compose: composed.facts }),
  });
  const notified =
    notifications === undefined
      ? validateInside(source, options.dialect)
      : validateNotifications(notifications, options.dialect);
  const findings = [...validated.findings, ...notified.findings, ...composed.findings].sort(byPlace);
  return {
    acceptable: !findings.some(({ verdict }) => verdict === 'error'),
    findings,
    ...(validated.manifest && { manifest: validated.manifest }),
    ...(validated.facts && { facts: validated.facts }),
    endpoints: notified.endpoints,
    customEndpoints: notified.customEndpoints,
    ...(composed.facts && { compose: composed.facts }),
  };
}

/**
 * The member `notifications` of a manifest, in which a node keeps the file. DAppNode does not validate it there, so its dialect has
 * no errors about it.
 */
function validateInside(manifest: Source, dialect: Dialect): ValidatedNotifications {
  const { text } = manifest;
  const found = manifest.find(['notifications'])?.node;
  if (found?.kind !== 'map') {
    return { findings: [], endpoints: [], customEndpoints: [] };
  }
  // Blanks keep the positions.
  const before = text.slice(0, found.start).replace(/[^\r\n]/g, ' ');
  const { findings, ...read } = validateNotifications(before + text.slice(found.start, found.end), 'spec');
  return {
    ...read,
    findings: findings.map((finding) => ({
      ...finding,
      file: 'manifest',
      pointer: `/notifications${finding.pointer}`,
      verdict: finding.verdict === 'error' && dialect === 'dappnode' ? 'warning' : finding.verdict,
    })),
  };
}

function identityOf(manifest: Source): PackageIdentity {
  const valueOf = (member: string): unknown => {
    const found = manifest.find([member])?.node;
    return found?.kind === 'scalar' ? found.value : undefined;
  };
  return { name: valueOf('name'), type: valueOf('type') };
}

/** Sorts by file, then by position. */
export function byPlace(a: Finding, b: Finding): number {
  return FILE_KINDS.indexOf(a.file) - FILE_KINDS.indexOf(b.file) || a.line - b.line || a.column - b.column;
}
