/** What is judged of the text before anything in it is: size, nesting, grammar, names. */
import { type Node } from 'jsonc-parser';
import { MAX_FILE_LENGTH } from '../../../contract/finding.ts';
import { members, parse, type Path, pointerOf, RESERVED, type Span, tooDeep } from './document.ts';
import { type Report } from './report.ts';
import { reportSyntax } from './syntax.ts';
import { found, label, plain } from './words.ts';

/** Most members of an object, and most entries of a list. */
export const MAX_MEMBERS = 1_000;
const NUL = String.fromCharCode(0);

/**
 * Reads text into a tree, and reports what keeps it from being one.
 * @param text without a byte order mark
 * @returns undefined when it is refused as a whole, or it is not clear what it says
 */
export function readText(text: string, report: Report): Node | undefined {
  if (text.length > MAX_FILE_LENGTH) {
    const detail = `It has ${text.length} characters; up to ${MAX_FILE_LENGTH} are read. Real manifests have some thousands.`;
    report.sayAt('too-large', { offset: 0, length: 0 }, 'The file is too large', detail);
    return undefined;
  }
  if (text.trim() === '') {
    report.sayAt('syntax', { offset: 0, length: 0 }, 'The file is empty', 'A manifest is an object: { "name": …, … }.');
    return undefined;
  }
  const deep = tooDeep(text);
  if (deep) {
    report.sayAt(
      'too-deep',
      deep,
      'Nested too deep',
      'Objects and lists may be nested 32 deep. Real manifests need five.'
    );
    return undefined;
  }
  const { tree, errors } = parse(text);
  const clear = errors.length === 0 || isJson(text) || reportSyntax(text, errors, report);
  if (errors.length === 0 && !isJson(text)) {
    report.sayAt('syntax', { offset: 0, length: 0 }, 'Not JSON', 'The text is not JSON (RFC 8259).');
    return undefined;
  }
  return clear && tree && !reportCrowds(tree, [], report) ? tree : undefined;
}

/** Reports objects and lists with too many members. @returns whether there are any: such a text is not judged further */
function reportCrowds(node: Node, path: Path, report: Report): boolean {
  const children = node.children ?? [];
  if (children.length > MAX_MEMBERS) {
    const what = node.type === 'array' ? 'entries' : 'members';
    const detail = `${label(path)} has ${children.length} ${what}; up to ${MAX_MEMBERS} are allowed.`;
    report.sayAt('too-many', { offset: node.offset, length: 1 }, `Too many ${what}`, detail, pointerOf(path));
    return true;
  }
  const inside =
    node.type === 'array'
      ? children.map((value, place) => ({ value, step: place }))
      : members(node).map(({ key, value }) => ({ value, step: key.value as string }));
  return inside.map(({ value, step }) => reportCrowds(value, [...path, step], report)).includes(true);
}

/** The judge of what is JSON; the other parser knows the places. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Reports names that are there twice or have a meaning of their own, and text that cannot be stored. */
export function reportTree(node: Node, path: Path, report: Report): void {
  if (node.type === 'string') {
    reportBadText(node.value as string, node, path, report);
    return;
  }
  const children = node.children ?? [];
  if (node.type === 'array') {
    children.forEach((child, place) => reportTree(child, [...path, place], report));
  } else {
    reportMembers(node, path, report);
  }
}

function reportMembers(node: Node, path: Path, report: Report): void {
  const before = new Map<string, Span>();
  for (const { key, value } of members(node)) {
    const name = key.value as string;
    const at = [...path, name];
    const twin = before.get(name);
    before.set(name, key);
    if (twin) {
      const detail = `It stands in line ${report.lineOf(twin)} and again in line ${report.lineOf(key)}; the last one counts. Remove one.`;
      report.sayAt('duplicate-member', key, `${label(at)} is there twice`, detail, pointerOf(at));
    }
    if (RESERVED.has(name)) {
      const detail = `${found(name)} has a meaning of its own in JavaScript. It is not read: remove it.`;
      report.sayAt('reserved-member', key, `A member is called ${plain(name)}`, detail, pointerOf(at));
    } else {
      reportBadText(name, key, at, report);
      reportTree(value, at, report);
    }
  }
}

function reportBadText(text: string, span: Span, path: Path, report: Report): void {
  if (text.includes(NUL)) {
    report.sayAt(
      'bad-text',
      span,
      `${label(path)} has a NUL character`,
      'Remove it: it cannot be stored.',
      pointerOf(path)
    );
  } else if (!text.isWellFormed()) {
    const detail = 'Half of a surrogate pair is no character (RFC 8259, section 8.2). Write the whole one.';
    report.sayAt('bad-text', span, `${label(path)} has half a character`, detail, pointerOf(path));
  }
}
