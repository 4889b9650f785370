/** What members of a manifest must be to each other, and to the compose file. */
import { type ComposeFacts } from '../compose.ts';
import { nearest } from '../nearest.ts';
import { type Path } from './document.ts';
import { entries, type Json, readBackup, readExposable, readGlobalEnvs } from './read.ts';
import { type Report } from './report.ts';
import { type RuleId } from './rules.ts';
import { type JudgeOptions, type Manifest } from './types.ts';
import { found, label, listed, plain } from './words.ts';

/**
 * @param raw the manifest's value, for the places of entries
 * @param manifest the same, read
 */
export function reportTogether(raw: Json, manifest: Partial<Manifest>, options: JudgeOptions, report: Report): void {
  reportBackup(raw, report);
  reportLibrary(manifest, options, report);
  if (options.compose) {
    reportServices(raw, manifest, options.compose, report);
    reportDefaults(raw, manifest, options.compose, report);
  }
}

function reportBackup(raw: Json, report: Report): void {
  const first = new Map<string, number>();
  for (const [place, { name, path }] of entries(raw.backup, readBackup)) {
    const before = first.get(name);
    if (before !== undefined) {
      const detail = `Entries ${before + 1} and ${place + 1} are both called ${found(name)}. A backup is restored by name: give each its own.`;
      report.say('backup-name-twice', ['backup', place, 'name'], 'A backup name is there twice', detail);
    } else {
      first.set(name, place);
    }
    if (/[/\\]/.test(name) || name === '.' || name === '..') {
      const detail = `Found ${found(name)}. It names a folder in the backup: use letters, digits, hyphens.`;
      report.say('backup-name', ['backup', place, 'name'], 'backup name is a path', detail);
    }
    if (path.startsWith('/') && path.split('/').some((step) => step === '.' || step === '..')) {
      const detail = `Found ${found(path)}. Write the path that it leads to.`;
      report.say('backup-path-steps', ['backup', place, 'path'], 'backup path has steps in it', detail);
    }
  }
}

function reportLibrary({ type, dependencies = {} }: Partial<Manifest>, options: JudgeOptions, report: Report): void {
  if (type !== 'library') {
    return;
  }
  const unknown: string[] = [];
  for (const dependency of Object.keys(dependencies)) {
    const other = options.typeOf?.(dependency);
    if (other === undefined) {
      unknown.push(dependency);
    } else if (other === 'service') {
      const detail = `${plain(dependency)} is a service. A library may depend on libraries only: make this package a service, or remove the dependency.`;
      report.say('library-depends', ['dependencies', dependency], 'A library depends on a service', detail, 'key');
    }
  }
  if (unknown.length > 0) {
    const names = unknown.length > 5 ? `${unknown.length} packages` : listed(unknown.map(plain));
    const detail = `A library may depend on libraries only. What ${names} ${unknown.length === 1 ? 'is' : 'are'} is not known here.`;
    report.say('library-dependency', ['dependencies'], 'A library has dependencies', detail);
  }
  for (const { name, environment } of options.compose?.services ?? []) {
    if (environment.length > 0) {
      const names = environment.length > 5 ? `${environment.length} of them` : listed(environment.map(plain));
      const detail = `A library has none; the service ${plain(name)} of the compose file has ${names}. Remove them, or make this package a service.`;
      report.say('library-environment', ['type'], 'A library has environment variables', detail);
    }
  }
}

function reportServices(
  raw: Json,
  { mainService, chain }: Partial<Manifest>,
  { services }: ComposeFacts,
  report: Report
): void {
  const names = services.map(({ name }) => name);
  const known = new Set(names);
  const hold = (service: string | undefined, path: Path, rule: RuleId = 'service-unknown'): void => {
    if (service !== undefined && service !== '' && !known.has(service)) {
      const meant = nearest(service, names);
      const shown = names.length > 12 ? [...names.slice(0, 12), '…'] : names;
      const has = `The compose file has ${listed(shown.map(plain))}.`;
      const advice = meant === undefined ? has : `Did you mean ${plain(meant)}? ${has}`;
      report.say(rule, path, `${label(path)} is not in the compose file`, `Found ${found(service)}. ${advice}`);
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

/** Where the first service is taken, and that is not the only one. */
function reportDefaults(
  raw: Json,
  { mainService, type }: Partial<Manifest>,
  { services }: ComposeFacts,
  report: Report
): void {
  const [first] = services;
  if (first === undefined || services.length === 1) {
    return;
  }
  const name = plain(first.name);
  if (mainService === undefined && type === 'service') {
    const detail = `The root name of the package leads to the first of ${services.length} services, ${name}.`;
    report.say('main-service-default', ['mainService'], 'No mainService given', detail);
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
      const title = `No service given for ${count} ${word}${count === 1 ? '' : 's'}`;
      report.say('service-default', [member], title, `Default: the first service of the compose file, ${name}.`);
    }
  }
}
