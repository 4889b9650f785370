/** Validates the folder of a package and maps each finding to its file. */
import type { Span } from '../../../contract/condition.ts';
import type { Dialect, FileKind, Finding } from '../../../contract/finding.ts';
import { pointerPath } from '../../../contract/text.ts';
import { validateManifest, type ValidationOptions } from '../../validation/manifest/validateManifest.ts';
import { isDappnodeRule, spanAt } from '../../validation/composeRules.ts';
import { readJson } from '../../validation/source/json.ts';
import { locate, type Path, type Source } from '../../validation/source/source.ts';
import { readYaml } from '../../validation/source/yaml.ts';
import { validateCompose } from '../../validation/validateCompose.ts';
import { byPlace, validatePackage } from '../../validation/package/validatePackage.ts';
import { mergeManifests } from './mergeVariant.ts';
import type { ValidatedFolder, LocatedFinding, PackageFile, PackageFolder } from './readPackageFolder.ts';

type Options = Omit<ValidationOptions, 'compose'>;

/** Rules about the text of a single manifest, whose findings are lost by merging. */
const OF_ONE_TEXT: readonly string[] = ['duplicate-member', 'byte-order-mark'];
/** Rules that a manifest violates if it cannot be merged. */
const UNREADABLE: readonly string[] = ['too-large', 'syntax', 'too-deep', 'not-an-object', 'bad-text', 'more-findings'];

/** @returns undefined if the folder has no readable manifest */
export function validateFolder(folder: PackageFolder, options: Options): ValidatedFolder | undefined {
  const { sources, texts } = folder;
  if (!texts) {
    return undefined;
  }
  const validated = validatePackage(texts, options);
  const found = (kind: FileKind): Finding[] => validated.findings.filter(({ file }) => file === kind);
  const findings = [
    ...manifestFindings(found('manifest'), sources.manifest, texts.manifest, options),
    ...notificationsFindings(found('notifications'), sources.notifications, texts.notifications),
    ...(sources.compose.length > 1
      ? composeFindings(sources.compose, found('compose'), options.dialect)
      : inFile(found('compose'), sources.compose[0])),
  ];
  return { ...validated, acceptable: !findings.some(({ verdict }) => verdict === 'error'), findings };
}

function inFile(findings: readonly Finding[], file: PackageFile | undefined): LocatedFinding[] {
  return findings.map((finding) => ({ ...finding, path: file?.path ?? '' }));
}

function manifestFindings(
  findings: readonly Finding[],
  files: readonly PackageFile[],
  validatedText: string,
  options: Options
): LocatedFinding[] {
  const [root, variant] = files;
  if (!root || !variant) {
    return inFile(findings, root);
  }
  const alone = (rules: readonly string[]): LocatedFinding[] =>
    files.flatMap((file) => {
      const own = validateManifest(file.text, options).findings.filter(({ rule }) => rules.includes(rule));
      return inFile(own, file);
    });
  if (mergeManifests(root.text, variant.text) === undefined) {
    // Missing members are not reported while one of the files is invalid.
    return alone([...OF_ONE_TEXT, ...UNREADABLE]);
  }
  return [...findings.map(locator(root, variant, validatedText)), ...alone(OF_ONE_TEXT)].sort(byFile(files));
}

function byFile(files: readonly PackageFile[]): (a: LocatedFinding, b: LocatedFinding) => number {
  const indexOf = (finding: LocatedFinding): number => files.findIndex(({ path }) => path === finding.path);
  return (a, b) => indexOf(a) - indexOf(b) || byPlace(a, b);
}

/** If the files cannot be merged, the findings are those of the first that is invalid. */
function notificationsFindings(
  findings: readonly Finding[],
  files: readonly PackageFile[],
  validatedText: string | undefined
): LocatedFinding[] {
  const own = files.find(({ text }) => text === validatedText);
  return own || files.length < 2
    ? inFile(findings, own)
    : findings.map((finding) => inYaml(finding, files)).sort(byFile(files));
}

/** Validates each file by itself; DAppNode’s rules, and that services are defined, apply to the merged file. */
function composeFindings(
  files: readonly PackageFile[],
  ofBoth: readonly Finding[],
  dialect: Dialect
): LocatedFinding[] {
  const none = ofBoth.some(({ rule }) => rule === 'services-missing');
  const merged = ofBoth.filter(({ rule }) => isDappnodeRule(rule)).map((finding) => inYaml(finding, files));
  return files.flatMap((file) => {
    const own = validateCompose(file.text, dialect).findings.filter(
      ({ rule }) => !isDappnodeRule(rule) && (none || rule !== 'services-missing')
    );
    return [...inFile(own, file), ...merged.filter(({ path }) => path === file.path)].sort(byPlace);
  });
}

/** The variant's file if it holds the value, else the one with most of its path, by default the root's. */
function inYaml(finding: Finding, files: readonly PackageFile[]): LocatedFinding {
  const path = pathOf(finding.pointer);
  const [below, above] = files.map((file) => {
    const source = readYaml(file.text);
    return { file, source, depth: source.root ? locate(source.root, path).depth : -1 };
  });
  const fromVariant = above!.depth > below!.depth || (path.length > 0 && above!.depth === path.length);
  const { file, source } = fromVariant ? above! : below!;
  const span = source.root ? source.firstLine(spanAt(source.root, path)) : { start: 0, end: 0 };
  return { ...finding, ...source.lines.place(span), path: file.path };
}

/**
 * @param root the file shared by the variants
 * @param variant the file merged over it
 * @param merged the validated text
 */
export function locator(root: PackageFile, variant: PackageFile, merged: string): (finding: Finding) => LocatedFinding {
  const [below, above, validated] = [root.text, variant.text, merged].map(readJson);
  return (finding) => {
    if (!below?.root || !above?.root || !validated?.root) {
      return { ...finding, path: root.path };
    }
    const path = pathOf(finding.pointer);
    const there = path.length > 0 && validated.find(path) !== undefined;
    // A missing member is attributed to the root file, unless only the variant contains its parent.
    const [first, second] = there ? [above, below] : [below, above];
    const parent = there ? path : nearestParent(path, validated);
    const source = parent.length === 0 || first.find(parent) ? first : second;
    const span = spanIn(source, validated, finding, parent);
    return { ...finding, ...source.lines.place(span), path: source === above ? variant.path : root.path };
  };
}

/** Parses a JSON Pointer (RFC 6901); the index accepts numbers as member names, too. */
const pathOf = (pointer: string): Path =>
  pointerPath(pointer).map((token) => (/^\d+$/.test(token) ? Number(token) : token));

function nearestParent(path: Path, source: Source): Path {
  let parent = path.slice(0, -1);
  while (parent.length > 0 && !source.find(parent)) {
    parent = parent.slice(0, -1);
  }
  return parent;
}

/** Finds the same part of the value if both files format it alike, the key if that was highlighted, else the whole value. */
function spanIn(source: Source, validated: Source, finding: Finding, path: Path): Span {
  const [here, there] = [source.find(path), validated.find(path)];
  const start = offsetOf(validated, finding.line, finding.column);
  const length = offsetOf(validated, finding.endLine, finding.endColumn) - start;
  if (!here || !there) {
    return source.span(path);
  }
  if (there.key && start === there.key.start) {
    return source.span(path, 'key');
  }
  const inside = start - there.node.start;
  const raw = ({ text }: Source, { start: from, end }: Span): string => text.slice(from, end);
  return inside >= 0 && start + length <= there.node.end && raw(source, here.node) === raw(validated, there.node)
    ? { start: here.node.start + inside, end: here.node.start + inside + length }
    : source.span(path);
}

/** The merged text is generated, with LF line endings. */
function offsetOf({ text }: Source, line: number, column: number): number {
  let start = 0;
  for (let count = 1; count < line; count += 1) {
    start = text.indexOf('\n', start) + 1;
  }
  return start + column - 1;
}
