/** Judges a package's folder, and says which of its files each finding is in. */
import type { FileKind, Finding } from '../../contract/finding.ts';
import { byPlace, judgePackage } from '../validation/validatePackage.ts';
import { judgeManifest, type JudgeOptions } from '../validation/manifest/validateManifest.ts';
import { readCompose } from '../validation/readCompose.ts';
import { locator } from './locate.ts';
import { mergeManifests } from './mergeVariant.ts';
import type { JudgedFolder, LocatedFinding, PackageFile, PackageFolder } from './types.ts';

type Options = Omit<JudgeOptions, 'compose'>;

/** Rules about the text of one manifest, which laying one over another would hide. */
const OF_ONE_TEXT: readonly string[] = ['duplicate-member', 'byte-order-mark'];
/** Rules that a manifest breaks which cannot be laid over another. */
const UNREADABLE: readonly string[] = ['too-large', 'syntax', 'too-deep', 'not-an-object', 'bad-text', 'more-findings'];

/** @returns undefined when the folder has no manifest that could be read */
export function judgeFolder(folder: PackageFolder, options: Options): JudgedFolder | undefined {
  const { sources, texts } = folder;
  if (!texts) {
    return undefined;
  }
  const judged = judgePackage(texts, options);
  const found = (kind: FileKind): Finding[] => judged.findings.filter(({ file }) => file === kind);
  const findings = [
    ...manifestFindings(found('manifest'), sources.manifest, texts.manifest, options),
    ...inFile(found('notifications'), sources.notifications[0]),
    ...(sources.compose.length > 1
      ? composeFindings(sources.compose, found('compose'))
      : inFile(found('compose'), sources.compose[0])),
  ];
  return { ...judged, acceptable: !findings.some(({ verdict }) => verdict === 'error'), findings };
}

function inFile(findings: readonly Finding[], file: PackageFile | undefined): LocatedFinding[] {
  return findings.map((finding) => ({ ...finding, path: file?.path ?? '' }));
}

function manifestFindings(
  findings: readonly Finding[],
  files: readonly PackageFile[],
  judgedText: string,
  options: Options
): LocatedFinding[] {
  const [root, variant] = files;
  if (!root || !variant) {
    return inFile(findings, root);
  }
  const alone = (rules: readonly string[]): LocatedFinding[] =>
    files.flatMap((file) => {
      const own = judgeManifest(file.text, options).findings.filter(({ rule }) => rules.includes(rule));
      return inFile(own, file);
    });
  if (mergeManifests(root.text, variant.text) === undefined) {
    // What a half of a package lacks is no news while the other half is broken.
    return alone([...OF_ONE_TEXT, ...UNREADABLE]);
  }
  return [...findings.map(locator(root, variant, judgedText)), ...alone(OF_ONE_TEXT)].sort(
    (a, b) =>
      files.findIndex(({ path }) => path === a.path) - files.findIndex(({ path }) => path === b.path) || byPlace(a, b)
  );
}

/** Each file by itself; a variant's may leave the services to the root's, and the root's to the variants'. */
function composeFindings(files: readonly PackageFile[], ofBoth: readonly Finding[]): LocatedFinding[] {
  const none = ofBoth.some(({ rule }) => rule === 'services-missing');
  return files.flatMap((file) =>
    inFile(
      readCompose(file.text).findings.filter(({ rule }) => none || rule !== 'services-missing'),
      file
    )
  );
}
