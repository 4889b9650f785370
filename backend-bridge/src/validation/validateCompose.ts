/** Validates a compose file and reads the services and variables that the manifest refers to. */
import type { Dialect, Finding } from '../../contract/finding.ts';
import { refusedByOne } from './authority.ts';
import { type PackageIdentity, reportRefusals } from './composeRules.ts';
import { Mapping } from './members.ts';
import { quoteValue } from './source/messages.ts';
import { describe, type Entry, Report, reportFile } from './report.ts';
import { type RuleId, ruleOf } from './rules.ts';
import { type MapNode, type Member, pointerOf } from './source/source.ts';
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
  const report = new Report('compose', readYaml(text), 'spec');
  const root = reportFile(report, 'services');
  const facts = root && readServices(report, root);
  if (dialect !== 'spec' && root) {
    reportRefusals(report, root, identity);
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
function readServices(report: Report, root: MapNode): ComposeFacts | undefined {
  const services = new Mapping(report, root, '', 'The file').get('services');
  if (services?.node.kind !== 'map' || services.node.members.size === 0) {
    const found = services ? `Found ${describe(services.node)}` : 'services is missing';
    const detail = `${found}. Expected a mapping of services.`;
    report.add('services-missing', services ? '/services' : '', services?.node ?? root, 'No services', detail);
    return undefined;
  }
  return { services: [...services.node.members.values()].map((member) => readService(report, member)) };
}

function readService(report: Report, { name, node }: Member): ComposeService {
  const [pointer, label] = [pointerOf(['services', name]), `Service ${quoteValue(name)}`];
  if (node.kind !== 'map') {
    const detail = `${label}: found ${describe(node)}. Expected a mapping.`;
    report.add('service-shape', pointer, node, 'Service is not a mapping', detail);
    return { name, environment: [] };
  }
  return { name, environment: readEnvironment(new Mapping(report, node, pointer, label)) };
}

/** `KEY: value`, or a list of `KEY=value` and `KEY` (Compose specification, "environment"). */
function readEnvironment(service: Mapping): string[] {
  const node = service.get('environment')?.node;
  if (node?.kind === 'map') {
    return [...node.members.keys()];
  }
  if (node?.kind === 'scalar') {
    const detail = `found ${describe(node)}. Expected a mapping, or a list of KEY=value.`;
    service.add('service-shape', 'environment is not a mapping', detail, 'environment');
  }
  return (node?.kind === 'list' ? node.items : []).flatMap((item, index) => {
    const name = item.kind === 'scalar' && item.value !== null ? String(item.value).split('=', 1)[0]!.trim() : '';
    if (name === '') {
      const detail = `found ${describe(item)}. Expected KEY=value.`;
      service.add('service-shape', 'Environment variable without a name', detail, 'environment', index);
    }
    return name === '' ? [] : [name];
  });
}
