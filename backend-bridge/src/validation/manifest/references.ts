/** References: dependencies on other packages, services of the compose file, unique backup names. */
import { isObject } from '../../../contract/text.ts';
import { quoteValue, label, joinList, nameAdvice, nearest, plain } from '../source/messages.ts';
import type { ComposeFacts } from '../validateCompose.ts';
import type { Path } from '../source/source.ts';
import { contentIdOf, isContentId, kindOf } from './fields.ts';
import {
  entries,
  type Json,
  type ValidationOptions,
  type Manifest,
  readBackup,
  readExposable,
  readGlobalEnvs,
} from './manifest.ts';
import type { ManifestReport } from '../report.ts';
import type { RuleId } from '../rules.ts';
import { NAME } from './schema.ts';

/** The rules that an invalid value violates. */
interface RangeRules {
  unreadable: RuleId;
  content: RuleId;
  hash: RuleId;
}

const REQUIRED: RangeRules = { unreadable: 'dependency-range', content: 'content-address', hash: 'dependency-hash' };
/** The specification does not define optional dependencies, so nothing is an error. */
const OPTIONAL: RangeRules = { unreadable: 'optional-range', content: 'optional-range', hash: 'optional-range' };
const FORMS = 'a version (1.2.3), a range (^1.2.0), *, latest or /ipfs/<CID>';

/**
 * @param raw the manifest's value; optional dependencies are in no schema
 * @param manifest the same, read
 */
export function reportDependencies(
  { optionalDependencies: optional }: Json,
  { name, dependencies = {} }: Partial<Manifest>,
  report: ManifestReport
): void {
  for (const [dependency, range] of Object.entries(dependencies)) {
    const path = ['dependencies', dependency];
    reportItself(path, name, report);
    reportRange(path, range, REQUIRED, report);
  }
  if (isObject(optional)) {
    reportOptional(optional, name, report);
  }
}

function reportOptional(optional: Json, own: string | undefined, report: ManifestReport): void {
  for (const [name, range] of Object.entries(optional)) {
    const path = ['optionalDependencies', name];
    reportItself(path, own, report);
    if (name.length > 253 || !NAME.test(name)) {
      const title = 'An optional dependency is not a package name';
      report.at('optional-name', path, title, `Found ${quoteValue(name)}. ${nameAdvice(name)}`, 'key');
    }
    if (typeof range === 'string') {
      reportRange(path, range, OPTIONAL, report);
    }
  }
}

function reportItself(path: Path, own: string | undefined, report: ManifestReport): void {
  if (path.at(-1) === own) {
    report.at('depends-on-itself', path, 'The package depends on itself', 'Remove it from its dependencies.', 'key');
  }
}

function reportRange(path: Path, range: string, rules: RangeRules, report: ManifestReport): void {
  const every = 'Every new release matches. Use a range of tested versions, such as ^1.2.3.';
  switch (kindOf(range)) {
    case 'latest':
      report.at('dependency-latest', path, 'Dependency on latest', every);
      break;
    case 'any':
      report.at('dependency-any', path, 'Dependency on any version', every);
      break;
    case 'ipfs':
      reportContent(path, range, rules.content, report);
      break;
    case 'unreadable':
      reportUnreadable(path, range, rules, report);
      break;
    case 'version':
    case 'range':
  }
}

function reportContent(path: Path, range: string, rule: RuleId, report: ManifestReport): void {
  if (isContentId(contentIdOf(range) ?? '')) {
    const detail = 'Use a CID during development only, and a version in a published package.';
    report.at('dependency-ipfs', path, 'Dependency on a CID', detail);
  } else {
    const detail = `Found ${quoteValue(range)}. The part after /ipfs/ is not a valid content identifier (CID).`;
    report.at(rule, path, 'Invalid CID', detail);
  }
}

function reportUnreadable(path: Path, range: string, rules: RangeRules, report: ManifestReport): void {
  if (isContentId(range)) {
    const detail = `Found ${quoteValue(range)}. Use /ipfs/${range}.`;
    report.at(rules.hash, path, 'CID without /ipfs/', detail);
  } else {
    const detail = `Found ${quoteValue(range)}. Expected ${FORMS}.`;
    report.at(rules.unreadable, path, 'Invalid dependency version', detail);
  }
}

/**
 * @param raw the manifest's value, for the places of entries
 * @param manifest the same, read
 */
export function reportReferences(
  raw: Json,
  manifest: Partial<Manifest>,
  options: Omit<ValidationOptions, 'dialect'>,
  report: ManifestReport
): void {
  reportBackup(raw, report);
  reportLibrary(manifest, options, report);
  if (options.compose) {
    reportServices(raw, manifest, options.compose, report);
    reportDefaults(raw, manifest, options.compose, report);
  }
}

function reportBackup(raw: Json, report: ManifestReport): void {
  const first = new Map<string, number>();
  for (const [place, { name, path }] of entries(raw.backup, readBackup)) {
    const before = first.get(name);
    if (before !== undefined) {
      const detail = `Entries ${before + 1} and ${place + 1} are both named ${quoteValue(name)}. Backups are restored by name, which must be unique.`;
      report.at('backup-name-twice', ['backup', place, 'name'], 'Duplicate backup name', detail);
    } else {
      first.set(name, place);
    }
    if (/[/\\]/.test(name) || name === '.' || name === '..') {
      const detail = `Found ${quoteValue(name)}. The name becomes a folder in the backup: use letters, digits and hyphens.`;
      report.at('backup-name', ['backup', place, 'name'], 'backup name is a path', detail);
    }
    if (path.startsWith('/') && path.split('/').some((step) => step === '.' || step === '..')) {
      const detail = `Found ${quoteValue(path)}. Use the resolved path.`;
      report.at('backup-path-steps', ['backup', place, 'path'], 'backup path contains . or ..', detail);
    }
  }
}

function reportLibrary(
  { type, dependencies = {} }: Partial<Manifest>,
  options: Omit<ValidationOptions, 'dialect'>,
  report: ManifestReport
): void {
  if (type !== 'library') {
    return;
  }
  const unknown: string[] = [];
  for (const dependency of Object.keys(dependencies)) {
    const other = options.typeOf?.(dependency);
    if (other === undefined) {
      unknown.push(dependency);
    } else if (other === 'service') {
      const detail = `${plain(dependency)} is a service. Libraries can only depend on libraries. Change the type to service, or remove the dependency.`;
      report.at('library-depends', ['dependencies', dependency], 'A library depends on a service', detail, 'key');
    }
  }
  if (unknown.length > 0) {
    const names = unknown.length > 5 ? `${unknown.length} packages` : joinList(unknown.map(plain));
    const detail = `Libraries can only depend on libraries. The type of ${names} is unknown.`;
    report.at('library-dependency', ['dependencies'], 'A library has dependencies', detail);
  }
  for (const { name, environment } of options.compose?.services ?? []) {
    if (environment.length > 0) {
      const names = environment.length > 5 ? `${environment.length} variables` : joinList(environment.map(plain));
      const detail = `The service ${plain(name)} in the compose file sets ${names}. The specification advises against it.`;
      report.at('library-environment', ['type'], 'A library has environment variables', detail);
    }
  }
}

function reportServices(
  raw: Json,
  { mainService, chain }: Partial<Manifest>,
  { services }: ComposeFacts,
  report: ManifestReport
): void {
  const names = services.map(({ name }) => name);
  const known = new Set(names);
  const hold = (service: string | undefined, path: Path, rule: RuleId = 'service-unknown'): void => {
    if (service !== undefined && service !== '' && !known.has(service)) {
      const meant = nearest(service, names);
      const shown = names.length > 12 ? [...names.slice(0, 12), '…'] : names;
      const has = `Services in the compose file: ${joinList(shown.map(plain))}.`;
      const advice = meant === undefined ? has : `Did you mean ${plain(meant)}? ${has}`;
      report.at(rule, path, `${label(path)} is not in the compose file`, `Found ${quoteValue(service)}. ${advice}`);
    }
  };
  hold(mainService, ['mainService']);
  if (typeof chain === 'object') {
    hold(chain.serviceName, ['chain', 'serviceName']);
  }
  for (const [place, { service }] of entries(raw.backup, readBackup)) {
    hold(service, ['backup', place, 'service']);
  }
  for (const [place, { serviceName }] of entries(raw.exposable, readExposable)) {
    hold(serviceName, ['exposable', place, 'serviceName']);
  }
  for (const [place, one] of entries(raw.globalEnvs, readGlobalEnvs)) {
    one.services.forEach((service, at) => hold(service, ['globalEnvs', place, 'services', at], 'global-envs-service'));
  }
}

/** Members that default to the first of several services. */
function reportDefaults(
  raw: Json,
  { mainService, type }: Partial<Manifest>,
  { services }: ComposeFacts,
  report: ManifestReport
): void {
  const [first] = services;
  if (first === undefined || services.length === 1) {
    return;
  }
  const name = plain(first.name);
  if (mainService === undefined && type === 'service') {
    const detail = `DAppNode assigns the root domain of the package to none of its ${services.length} services. Set mainService.`;
    report.at('main-service-default', ['mainService'], 'mainService not set', detail);
  }
  const lacking: [string, number, string][] = [
    ['backup', entries(raw.backup, readBackup).filter(([, { service }]) => service === undefined).length, 'backup'],
    [
      'exposable',
      entries(raw.exposable, readExposable).filter(([, one]) => one.serviceName === undefined).length,
      'exposable service',
    ],
  ];
  for (const [member, count, word] of lacking) {
    if (count > 0) {
      const title = `No service set for ${count} ${word}${count === 1 ? '' : 's'}`;
      report.at('service-default', [member], title, `Defaults to the first service of the compose file, ${name}.`);
    }
  }
}
