/** Merges the files of a variant over those of the root, as DAppNode's build does. Pure. */
import { stringify } from 'yaml';
import { isObject } from '../../../contract/text.ts';
import { plainValue } from '../../validation/source/source.ts';
import { readYaml } from '../../validation/source/yaml.ts';

type Json = Record<string, unknown>;

/** A list, or an object: what is merged instead of replaced. */
const isNested = (value: unknown): value is Json | unknown[] => Array.isArray(value) || isObject(value);

/**
 * As DAppNode's tool (DAppNodeSDK 0.3, `merge` of Lodash 4): objects by member, lists by index, everything else is replaced. A list takes
 * the place of an object; of an object over a list, the members that are indexes replace entries.
 */
function merge(root: unknown, variant: unknown): unknown {
  if (!isNested(variant) || !isNested(root) || (Array.isArray(variant) && !Array.isArray(root))) {
    return variant;
  }
  if (Array.isArray(root)) {
    const items: unknown[] = [...root];
    for (const [index, value] of Object.entries(variant)) {
      if (Array.isArray(variant) || /^(?:0|[1-9]\d{0,2})$/.test(index)) {
        items[Number(index)] = merge(items[Number(index)], value);
      }
    }
    return Array.from(items, (item) => item ?? null);
  }
  // `__proto__` is an ordinary member.
  const members = new Map(Object.entries(root));
  for (const [name, value] of Object.entries(variant)) {
    members.set(name, merge(members.get(name), value));
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

/** Compose and notifications files. @returns undefined if one of them is not a YAML mapping */
function mergeYaml(root: string, variant: string): string | undefined {
  const [below, above] = [root, variant].map((text) => {
    const tree = readYaml(text).root;
    return tree && plainValue(tree);
  });
  return isObject(below) && isObject(above)
    ? stringify(merge(below, above), { aliasDuplicateObjects: false, lineWidth: 0 })
    : undefined;
}

export const mergeComposes = mergeYaml;
export const mergeNotifications = mergeYaml;
