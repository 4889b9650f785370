/** Validates the files of a package together. Pure. */
import { FILE_KINDS, type Finding } from '../../contract/finding.ts';
import {
  validateManifest,
  type ValidationOptions,
  type Manifest,
  type ManifestFacts,
} from './manifest/validateManifest.ts';
import {
  type CustomEndpointDefinition,
  type EndpointDefinition,
  validateNotifications,
} from './notifications/validateNotifications.ts';
import { type ComposeFacts, validateCompose } from './validateCompose.ts';

/** The texts of the files. Pass objects as `JSON.stringify(object, null, 2)`. */
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
  const composed = compose === undefined ? { findings: [] } : validateCompose(compose);
  const validated = validateManifest(manifest, {
    ...options,
    ...(composed.facts && { compose: composed.facts }),
  });
  const notified =
    notifications === undefined
      ? { findings: [], endpoints: [], customEndpoints: [] }
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

/** Sorts by file, then by position. */
export function byPlace(a: Finding, b: Finding): number {
  return FILE_KINDS.indexOf(a.file) - FILE_KINDS.indexOf(b.file) || a.line - b.line || a.column - b.column;
}
