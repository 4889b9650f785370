/** Merges the files of a variant over those of the root, as DAppNode's build does. Pure. */
import { stringify } from 'yaml';
import { isObject } from '../../../contract/text.ts';
import { plainValue } from '../../validation/source/source.ts';
import { readYaml } from '../../validation/source/yaml.ts';

type Json = Record<string, unknown>;

/** Objects are merged, everything else is replaced. `__proto__` is an ordinary member. */
function merge(root: Json, variant: Json): Json {
  const members = new Map(Object.entries(root));
  for (const [name, value] of Object.entries(variant)) {
    const below = members.get(name);
    members.set(name, isObject(below) && isObject(value) ? merge(below, value) : value);
  }
  return Object.fromEntries(members);
}

/** @returns undefined if one of them is not a JSON object */
export function mergeManifests(root: string, variant: string): string | undefined {
  try {
    const [below, above] = [root, variant].map((text) => JSON.parse(text.replace(/^\uFEFF/, '')) as unknown);
    return isObject(below) && isObject(above) ? JSON.stringify(merge(below, above), null, 2) : undefined;
  } catch {
    // Invalid JSON, or nested too deep to serialize: validation reports which.
    return undefined;
  }
}

/** Environment variables are merged by name, in either form. */
function withVariableMaps(compose: Json): Json {
  const services = isObject(compose.services) ? compose.services : undefined;
  if (!services) {
    return compose;
  }
  const mapped = Object.entries(services).map(([name, service]): [string, unknown] => {
    const listed = isObject(service) && Array.isArray(service.environment) ? (service.environment as unknown[]) : [];
    if (listed.length === 0 || !listed.every((one) => typeof one === 'string')) {
      return [name, service];
    }
    const variables = listed.map((one): [string, unknown] => {
      const [key = '', ...value] = one.split('=');
      return [key, value.length === 0 ? null : value.join('=')];
    });
    return [name, { ...(service as Json), environment: Object.fromEntries(variables) }];
  });
  return { ...compose, services: Object.fromEntries(mapped) };
}

/** @returns undefined if one of them is not a YAML mapping */
export function mergeComposes(root: string, variant: string): string | undefined {
  const [below, above] = [root, variant].map((text) => {
    const tree = readYaml(text).root;
    const value = tree && plainValue(tree);
    return isObject(value) ? withVariableMaps(value) : undefined;
  });
  return below && above ? stringify(merge(below, above), { aliasDuplicateObjects: false, lineWidth: 0 }) : undefined;
}
