/** Validates the files of a package together. Pure. */
import type { Node } from 'jsonc-parser';
import { type Dialect, FILE_KINDS, type Finding } from '../../contract/finding.ts';
import type { PackageIdentity } from './composeRules.ts';
import { Index, parse, tooDeep } from './manifest/document.ts';
import {
  validateManifest,
  type ValidationOptions,
  type Manifest,
  type ManifestFacts,
} from './manifest/validateManifest.ts';
import {
  type CustomEndpointDefinition,
  type EndpointDefinition,
  type ValidatedNotifications,
  validateNotifications,
} from './notifications/validateNotifications.ts';
import { type ComposeFacts, validateCompose } from './validateCompose.ts';

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
  const composed =
    compose === undefined ? { findings: [] } : validateCompose(compose, options.dialect, identityOf(manifest));
  const validated = validateManifest(manifest, {
    ...options,
    ...(composed.facts && { compose: composed.facts }),
  });
  const notified =
    notifications === undefined
      ? validateInside(manifest, options.dialect)
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
function validateInside(manifest: string, dialect: Dialect): ValidatedNotifications {
  const text = withoutMark(manifest);
  const found = memberOf(text, 'notifications');
  if (found?.type !== 'object') {
    return { findings: [], endpoints: [], customEndpoints: [] };
  }
  // Blanks keep the positions.
  const before = text.slice(0, found.offset).replace(/[^\r\n]/g, ' ');
  const { findings, ...read } = validateNotifications(
    before + text.slice(found.offset, found.offset + found.length),
    'spec'
  );
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

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

function memberOf(text: string, name: string): Node | undefined {
  const { tree } = tooDeep(text) ? {} : parse(text);
  return tree && new Index(tree).find([name])?.value;
}

const identityOf = (manifest: string): PackageIdentity => ({
  name: memberOf(withoutMark(manifest), 'name')?.value as unknown,
  type: memberOf(withoutMark(manifest), 'type')?.value as unknown,
});

/** Sorts by file, then by position. */
export function byPlace(a: Finding, b: Finding): number {
  return FILE_KINDS.indexOf(a.file) - FILE_KINDS.indexOf(b.file) || a.line - b.line || a.column - b.column;
}
