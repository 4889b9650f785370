/** Reads members of a mapping leniently: unambiguous values are converted, with a finding that states the expected type. */
import { pointerToken } from '../../../contract/text.ts';
import { quoteValue, joinList, nearest, plain } from '../messages.ts';
import type { Report } from './rules.ts';
import type { YamlMap, YamlMember, YamlNode } from './tree.ts';

/** A mapping in the file. */
export interface Place {
  report: Report;
  map: YamlMap;
  pointer: string;
  /** Its name at the start of a message: `Endpoint "dms-cpu"`. */
  name: string;
}

export const memberPointer = ({ pointer }: Place, name: string): string => `${pointer}/${pointerToken(name)}`;

/** The member; null counts as absent. */
export function member({ map }: Place, name: string): YamlMember | undefined {
  const found = map.members.get(name);
  return found?.node.kind === 'scalar' && found.node.value === null ? undefined : found;
}

export function describe(node: YamlNode): string {
  return node.kind === 'scalar' ? quoteValue(node.value) : node.kind === 'list' ? 'a list' : 'a mapping';
}

/** A string; numbers and booleans are converted. */
export function text(place: Place, name: string): string | undefined {
  const found = member(place, name);
  if (!found) {
    return undefined;
  }
  const { node } = found;
  if (node.kind === 'scalar' && typeof node.value === 'string') {
    return node.value;
  }
  wrongType(place, name, node, 'a string');
  return node.kind === 'scalar' ? String(node.value) : undefined;
}

const WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  no: false,
  off: false,
  0: false,
};

/** A boolean; common words such as yes and off are converted. */
export function flag(place: Place, name: string): boolean | undefined {
  const found = member(place, name);
  if (!found) {
    return undefined;
  }
  const { node } = found;
  if (node.kind === 'scalar' && typeof node.value === 'boolean') {
    return node.value;
  }
  const word = node.kind === 'scalar' ? String(node.value).trim().toLowerCase() : '';
  const read = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  wrongType(place, name, node, `true or false, without quotes${read === undefined ? '' : `; it is read as ${read}`}`);
  return read;
}

/** A finite number; `"80"` and `"80;"`, which occur in real files, are converted. */
export function figure(place: Place, name: string): number | undefined {
  const found = member(place, name);
  if (!found) {
    return undefined;
  }
  const { node } = found;
  if (node.kind === 'scalar' && typeof node.value === 'number' && Number.isFinite(node.value)) {
    return node.value;
  }
  const digits = node.kind === 'scalar' && typeof node.value === 'string' ? node.value.replace(/;\s*$/, '').trim() : '';
  const read = /^[+-]?(\d+(\.\d+)?|\.\d+)$/.test(digits) ? Number(digits) : undefined;
  wrongType(place, name, node, `a number${read === undefined ? '' : `; it is read as ${read}`}`);
  return read;
}

/** The scalar members of a mapping, as strings. */
export function textsOf({ map }: Place): Record<string, string> {
  return Object.fromEntries(
    [...map.members].flatMap(([key, { node }]) => (node.kind === 'scalar' ? [[key, String(node.value ?? '')]] : []))
  );
}

/** The mapping in a member. */
export function mapOf(place: Place, name: string, label: string): Place | undefined {
  const found = member(place, name);
  if (!found) {
    return undefined;
  }
  if (found.node.kind !== 'map') {
    wrongType(place, name, found.node, 'a mapping');
    return undefined;
  }
  return { report: place.report, map: found.node, pointer: memberPointer(place, name), name: label };
}

/** The items of the list in a member. */
export function listOf(place: Place, name: string): YamlNode[] | undefined {
  const found = member(place, name);
  if (!found) {
    return undefined;
  }
  if (found.node.kind !== 'list') {
    wrongType(place, name, found.node, 'a list');
    return undefined;
  }
  return found.node.items;
}

function wrongType(place: Place, name: string, node: YamlNode, allowed: string): void {
  const { report } = place;
  const title = `${name} is not ${allowed.split(/[,;]/)[0]}`;
  report.add(
    'member-type',
    memberPointer(place, name),
    node,
    title,
    `${place.name}: found ${describe(node)}. Expected ${allowed}.`
  );
}

/** Reports a value of the right type in a wrong format. */
export function wrongValue(place: Place, name: string, title: string, advice: string): void {
  const found = member(place, name);
  if (found) {
    const detail = `${place.name}: found ${describe(found.node)}. ${advice}`;
    place.report.add('member-value', memberPointer(place, name), found.node, title, detail);
  }
}

/** @param members required members, each with the effect of its absence */
export function requireMembers(place: Place, members: Readonly<Record<string, string>>): void {
  const missing = Object.entries(members).filter(([name]) => !member(place, name));
  if (missing.length > 0) {
    const names = missing.length > 3 ? `${missing.length} members` : joinList(missing.map(([name]) => name));
    const instead = missing.map(([name, effect]) => (missing.length === 1 ? effect : `${name}: ${effect}`)).join(' ');
    const title = `${names} ${missing.length === 1 ? 'is' : 'are'} missing`;
    const detail = `${place.name}: required by DAppNode. ${instead}`;
    place.report.add('member-missing', place.pointer, place.map, title, detail);
  }
}

/** @param known members; @param silent members that are ignored here without a finding */
export function findUnknown(place: Place, known: readonly string[], silent: readonly string[] = []): void {
  for (const [name, { key }] of place.map.members) {
    if (!known.includes(name) && !silent.includes(name)) {
      const meant = nearest(name, known);
      const advice = meant === undefined ? `Known members: ${known.join(', ')}.` : `Did you mean ${meant}?`;
      const detail = `${place.name}: ${advice} It has no effect.`;
      place.report.add('member-unknown', memberPointer(place, name), key, `Unknown member ${plain(name)}`, detail);
    }
  }
}
