/** Validates a compose file and reads the services and variables that the manifest refers to. */
import type { Dialect, Finding } from '../../contract/finding.ts';
import { refusedByOne } from './authority.ts';
import { COMPOSE_RULES, type PackageIdentity, reportRefusals } from './composeRules.ts';
import { quoteValue } from './messages.ts';
import { describe, member, memberPointer, type Place } from './yaml/members.ts';
import { createReport, type Report, reportProblems } from './yaml/rules.ts';
import { readYaml, type YamlNode, type YamlTree } from './yaml/tree.ts';

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
  const report = createReport('compose', text);
  const tree = readYaml(text);
  reportProblems(report, tree);
  const facts = readServices(report, tree, text);
  if (dialect !== 'spec' && tree.root?.kind === 'map') {
    reportRefusals(report, tree.root, identity);
  }
  const findings = report.findings.map((finding): Finding => {
    if (dialect === 'spec' || finding.verdict === 'error' || !isRefused(finding)) {
      return finding;
    }
    return dialect === 'dappnode' ? { ...finding, verdict: 'error' } : refusedByOne(finding, 'dappnode');
  });
  return { findings, ...(facts && { facts }) };
}

/** DAppNode’s parsers refuse duplicate keys and several documents. */
const isRefused = ({ rule, pointer }: Finding): boolean =>
  COMPOSE_RULES.has(rule) ||
  ['yaml-duplicate', 'yaml-documents'].includes(rule) ||
  (rule === 'service-shape' && /^\/services\/[^/]*$/.test(pointer));

/** @returns undefined without services */
function readServices(report: Report, { root, problems }: YamlTree, text: string): ComposeFacts | undefined {
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

function readService(list: Place, name: string, node: YamlNode): ComposeService {
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
