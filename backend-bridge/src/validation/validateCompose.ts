/** Validates a compose file and reads the services and variables that the manifest refers to. */
import type { Dialect, Finding } from '../../contract/finding.ts';
import { refusedByOne } from './authority.ts';
import { type PackageIdentity, reportRefusals } from './composeRules.ts';
import { describe, member, memberPointer, type Place } from './members.ts';
import { quoteValue } from './messages.ts';
import { type Entry, Report, reportProblems } from './report.ts';
import { type RuleId, ruleOf } from './rules.ts';
import type { Source, SourceNode } from './source/source.ts';
import { readYaml } from './source/yaml.ts';

export interface ComposeFacts {
  /** In file order: the first one is the default for members of the manifest that name none. */
  services: ComposeService[];
}

export interface ComposeService {
  name: string;
  /** Names of its environment variables, without build arguments. */
  environment: string[];
}

export interface ValidatedCompose {
  findings: Finding[];
  /** Absent if the file cannot be parsed. */
  facts?: ComposeFacts;
}

/**
 * Validates the text of a compose file, YAML or JSON. Never throws.
 * @param identity of the manifest, if there is one
 */
export function validateCompose(text: string, dialect: Dialect, identity?: PackageIdentity): ValidatedCompose {
  const source = readYaml(text);
  const report = new Report('compose', source, 'spec');
  reportProblems(report, source.problems);
  const facts = readServices(report, source);
  if (dialect !== 'spec' && source.root?.kind === 'map') {
    reportRefusals(report, source.root, identity);
  }
  const entries = report.entries.map((entry): Entry => {
    if (dialect === 'spec' || entry.verdict === 'error' || !isRefused(entry)) {
      return entry;
    }
    return dialect === 'dappnode' ? { ...entry, verdict: 'error' } : refusedByOne(entry, 'dappnode');
  });
  return { findings: report.findings(entries), ...(facts && { facts }) };
}

const isRefused = ({ rule, pointer }: Entry): boolean =>
  ruleOf(rule as RuleId).dappnode === 'error' || (rule === 'service-shape' && /^\/services\/[^/]*$/.test(pointer));

/** @returns undefined without services */
function readServices(report: Report, { root, problems, text }: Source): ComposeFacts | undefined {
  if (root?.kind !== 'map') {
    if (root || problems.length === 0) {
      const at = root ?? { start: 0, end: text.length };
      report.add(
        'file-shape',
        '',
        at,
        'Not a mapping',
        `Found ${root ? describe(root) : 'an empty file'}. Expected a mapping with services.`
      );
    }
    return undefined;
  }
  const whole = { report, map: root, pointer: '', name: 'The file' };
  const services = member(whole, 'services');
  if (services?.node.kind !== 'map' || services.node.members.size === 0) {
    const found = services ? `Found ${describe(services.node)}` : 'services is missing';
    const detail = `${found}. Expected a mapping of services.`;
    report.add('services-missing', services ? '/services' : '', services?.node ?? root, 'No services', detail);
    return undefined;
  }
  const list = { report, map: services.node, pointer: '/services', name: 'services' };
  return { services: [...services.node.members].map(([name, { node }]) => readService(list, name, node)) };
}

function readService(list: Place, name: string, node: SourceNode): ComposeService {
  const pointer = memberPointer(list, name);
  if (node.kind !== 'map') {
    const detail = `Service ${quoteValue(name)}: found ${describe(node)}. Expected a mapping.`;
    list.report.add('service-shape', pointer, node, 'Service is not a mapping', detail);
    return { name, environment: [] };
  }
  const service = { report: list.report, map: node, pointer, name: `Service ${quoteValue(name)}` };
  return { name, environment: readEnvironment(service) };
}

/** `KEY: value`, or a list of `KEY=value` and `KEY` (Compose specification, "environment"). */
function readEnvironment(service: Place): string[] {
  const found = member(service, 'environment');
  if (!found) {
    return [];
  }
  const { node } = found;
  if (node.kind === 'map') {
    return [...node.members.keys()];
  }
  const pointer = memberPointer(service, 'environment');
  if (node.kind !== 'list') {
    const detail = `${service.name}: found ${describe(node)}. Expected a mapping, or a list of KEY=value.`;
    service.report.add('service-shape', pointer, node, 'environment is not a mapping', detail);
    return [];
  }
  return node.items.flatMap((item, index) => {
    const name =
      item.kind === 'scalar' && item.value !== null ? String(item.value).split('=', 1)[0]?.trim() : undefined;
    if (name === undefined || name === '') {
      const detail = `${service.name}: found ${describe(item)}. Expected KEY=value.`;
      service.report.add('service-shape', `${pointer}/${index}`, item, 'Environment variable without a name', detail);
      return [];
    }
    return [name];
  });
}
