/** Reads mappings leniently: unambiguous values are converted, with a finding that states the expected type. */
import { joinList, nearest, plain } from './source/messages.ts';
import { describe, type Report } from './report.ts';
import type { RuleId } from './rules.ts';
import { locate, type MapNode, type Member, type Path, pointerOf, type SourceNode } from './source/source.ts';

const WORDS = new Map([
  ...['true', 'yes', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'off', '0'].map((word) => [word, false] as const),
]);

/** A mapping in the file. */
export class Mapping {
  readonly report: Report;
  readonly node: MapNode;
  readonly pointer: string;
  /** Its name at the start of a message: `Endpoint "dms-cpu"`. */
  readonly name: string;

  constructor(report: Report, node: MapNode, pointer: string, name: string) {
    this.report = report;
    this.node = node;
    this.pointer = pointer;
    this.name = name;
  }

  /** The member; null counts as absent. */
  get(name: string): Member | undefined {
    const found = this.node.members.get(name);
    return found?.node.kind === 'scalar' && found.node.value === null ? undefined : found;
  }

  /** Reports a finding at a path in the mapping, by default the whole mapping. */
  add(rule: RuleId, title: string, detail: string, ...path: Path): void {
    const { node } = locate(this.node, path);
    this.report.add(rule, this.pointer + pointerOf(path), node, title, `${this.name}: ${detail}`);
  }

  /** A string; numbers and booleans are converted. */
  text(name: string): string | undefined {
    const node = this.get(name)?.node;
    if (node && !(node.kind === 'scalar' && typeof node.value === 'string')) {
      this.#wrongType(name, node, 'a string');
    }
    return node?.kind === 'scalar' ? String(node.value) : undefined;
  }

  /** A boolean; common words such as yes and off are converted. */
  flag(name: string): boolean | undefined {
    const node = this.get(name)?.node;
    if (!node || (node.kind === 'scalar' && typeof node.value === 'boolean')) {
      return node?.value as boolean | undefined;
    }
    const read = node.kind === 'scalar' ? WORDS.get(String(node.value).trim().toLowerCase()) : undefined;
    this.#wrongType(name, node, 'true or false, without quotes', read);
    return read;
  }

  /** A finite number; `"80"` and `"80;"`, which occur in real files, are converted. */
  figure(name: string): number | undefined {
    const node = this.get(name)?.node;
    const value = node?.kind === 'scalar' ? node.value : undefined;
    if (!node || (typeof value === 'number' && Number.isFinite(value))) {
      return value as number | undefined;
    }
    const digits = typeof value === 'string' ? value.replace(/;\s*$/, '').trim() : '';
    const read = /^[+-]?(\d+(\.\d+)?|\.\d+)$/.test(digits) ? Number(digits) : undefined;
    this.#wrongType(name, node, 'a number', read);
    return read;
  }

  /** The scalar members, as strings. */
  texts(): Record<string, string> {
    return Object.fromEntries(
      [...this.node.members].flatMap(([key, { node }]) =>
        node.kind === 'scalar' ? [[key, String(node.value ?? '')]] : []
      )
    );
  }

  /** The mapping in a member. */
  mapping(name: string, label = `${this.name}, ${name}`): Mapping | undefined {
    const node = this.get(name)?.node;
    if (node && node.kind !== 'map') {
      this.#wrongType(name, node, 'a mapping');
    }
    return node?.kind === 'map' ? new Mapping(this.report, node, this.pointer + pointerOf([name]), label) : undefined;
  }

  /** The items of the list in a member. */
  list(name: string): SourceNode[] | undefined {
    const node = this.get(name)?.node;
    if (node && node.kind !== 'list') {
      this.#wrongType(name, node, 'a list');
    }
    return node?.kind === 'list' ? node.items : undefined;
  }

  #wrongType(name: string, node: SourceNode, allowed: string, readAs?: boolean | number): void {
    const read = readAs === undefined ? '' : `; it is read as ${readAs}`;
    const title = `${name} is not ${allowed.split(',')[0]}`;
    this.add('member-type', title, `found ${describe(node)}. Expected ${allowed}${read}.`, name);
  }

  /** Reports a value of the right type in a wrong format. */
  wrongValue(name: string, title: string, advice: string): void {
    const found = this.get(name);
    if (found) {
      this.add('member-value', title, `found ${describe(found.node)}. ${advice}`, name);
    }
  }

  /** @param members required members, each with the effect of its absence */
  requireMembers(members: Readonly<Record<string, string>>): void {
    const missing = Object.entries(members).filter(([name]) => !this.get(name));
    if (missing.length > 0) {
      const names = missing.length > 3 ? `${missing.length} members` : joinList(missing.map(([name]) => name));
      const instead = missing.map(([name, effect]) => (missing.length === 1 ? effect : `${name}: ${effect}`)).join(' ');
      const title = `${names} ${missing.length === 1 ? 'is' : 'are'} missing`;
      this.add('member-missing', title, `required by DAppNode. ${instead}`);
    }
  }

  /** @param known members; @param silent members that are ignored here without a finding */
  findUnknown(known: readonly string[], silent: readonly string[] = []): void {
    for (const { name, key } of this.node.members.values()) {
      if (!known.includes(name) && !silent.includes(name)) {
        const meant = nearest(name, known);
        const advice = meant === undefined ? `Known members: ${known.join(', ')}.` : `Did you mean ${meant}?`;
        const detail = `${this.name}: ${advice} It has no effect.`;
        const title = `Unknown member ${plain(name)}`;
        this.report.add('member-unknown', this.pointer + pointerOf([name]), key, title, detail);
      }
    }
  }
}
