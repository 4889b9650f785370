/** Says which file of a merged manifest a finding is in, and where. Pure. */
import type { Finding } from '../../contract/finding.ts';
import { Index, Lines, parse, type Path, type Span, tooDeep } from '../validation/manifest/document.ts';
import type { LocatedFinding, PackageFile } from './types.ts';

interface Source {
  path: string;
  text: string;
  lines: Lines;
  index: Index;
}

/**
 * @param root the file that holds what the variants share
 * @param variant the file that is laid over it
 * @param merged the text that was judged
 */
export function locator(root: PackageFile, variant: PackageFile, merged: string): (finding: Finding) => LocatedFinding {
  const [below, above, judged] = [root, variant, { path: '', text: merged }].map(open);
  return (finding) => {
    if (!below || !above || !judged) {
      return { ...finding, path: root.path };
    }
    const path = pathOf(finding.pointer);
    const there = path.length > 0 && judged.index.find(path) !== undefined;
    // A member that is missing is missing in what the variants share, unless the variant alone holds its parent.
    const [first, second] = there ? [above, below] : [below, above];
    const parent = there ? path : nearestParent(path, judged);
    const source = parent.length === 0 || first.index.find(parent) ? first : second;
    const span = spanIn(source, judged, finding, parent);
    return { ...finding, ...source.lines.place(span, finding.pointer), path: source.path };
  };
}

function open({ path, text }: PackageFile): Source | undefined {
  const { tree } = tooDeep(text) ? {} : parse(text);
  return tree && { path, text, lines: new Lines(text), index: new Index(tree) };
}

/** RFC 6901, read back; the index takes numbers for members of objects as well. */
function pathOf(pointer: string): Path {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((token) => (/^\d+$/.test(token) ? Number(token) : token));
}

function nearestParent(path: Path, { index }: Source): Path {
  let parent = path.slice(0, -1);
  while (parent.length > 0 && !index.find(parent)) {
    parent = parent.slice(0, -1);
  }
  return parent;
}

/** The same part of the value where both files write it alike, the name where it was pointed at, else where the value is. */
function spanIn(source: Source, judged: Source, finding: Finding, path: Path): Span {
  const [here, there] = [source.index.find(path), judged.index.find(path)];
  const start = offsetOf(judged, finding.line, finding.column);
  const length = offsetOf(judged, finding.endLine, finding.endColumn) - start;
  if (!here || !there) {
    return source.index.span(path);
  }
  if (there.key && start === there.key.offset) {
    return source.index.span(path, 'key');
  }
  const inside = start - there.value.offset;
  const raw = ({ text }: Source, { offset, length: size }: Span): string => text.slice(offset, offset + size);
  return inside >= 0 && inside + length <= there.value.length && raw(source, here.value) === raw(judged, there.value)
    ? { offset: here.value.offset + inside, length }
    : source.index.span(path);
}

/** The judged text was written by us: its lines end with LF. */
function offsetOf({ text }: Source, line: number, column: number): number {
  let start = 0;
  for (let count = 1; count < line; count += 1) {
    start = text.indexOf('\n', start) + 1;
  }
  return start + column - 1;
}
