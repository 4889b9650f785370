/**
 * Manifest validation on real packages. NODEBELL_CORPUS names a folder with packages in `packages/`, whose README.md lists the
 * violations in each, and older files in `history/`, whose INDEX.md lists invalid ones with positions.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULT_DIALECT, type Dialect, DIALECTS, type Finding } from '../../backend-bridge/contract/finding.ts';
import { validateManifest, type Rule, RULES } from '../../backend-bridge/src/validation/manifest/validateManifest.ts';
import { validateFolder } from '../../backend-bridge/src/packages/files/validateFolder.ts';
import { readPackageFolder } from '../../backend-bridge/src/packages/files/readPackageFolder.ts';

const CORPUS = process.env.NODEBELL_CORPUS ?? '';
const EXPECTED = path.join(import.meta.dirname, '..', 'fixtures', 'manifestCorpus.md');
const read = (file: string): string => readFileSync(path.join(CORPUS, file), 'utf8');

/** Cells of the matching rows of a Markdown table. */
function rows(text: string, row: RegExp): string[][] {
  return [...text.matchAll(row)].map(([, ...cells]) => cells.map((cell) => (cell ?? '').trim()));
}

/** The listed violations of a package, as rules with positions. */
function saidToBreak(words: string): string[] {
  const people = Number(/(\d+) contributors not in author structure/.exec(words)?.[1] ?? 0);
  const unknown = /unknown fields: ([\w, ]+)/.exec(words)?.[1]?.split(', ') ?? [];
  return [
    ...(/BROKEN JSON/.test(words) ? ['syntax '] : []),
    ...(/globalEnvs is an ARRAY/.test(words) ? ['global-envs-list /globalEnvs'] : []),
    ...(/chain is object/.test(words) ? ['chain-object /chain'] : []),
    ...(/chain is '/.test(words) ? ['chain-unlisted /chain'] : []),
    ...(/author not </.test(words) ? ['person /author'] : []),
    ...Array.from({ length: people }, () => 'person /contributors'),
    ...(/shortDescription \d+ words/.test(words) ? ['short-description-words /shortDescription'] : []),
    ...[...words.matchAll(/exposable\[(\d+)\]\.serviceName '/g)].map(
      ([, at]) => `service-unknown /exposable/${at}/serviceName`
    ),
    ...(/mainService '/.test(words) ? ['service-unknown /mainService'] : []),
    ...[...words.matchAll(/warnings\.(\w+) not in seed/g)].map(([, member]) => `update-warning /warnings/${member}`),
    ...[...words.matchAll(/requirements\.(\w+) not in seed/g)].map(([, member]) => `member /requirements/${member}`),
    ...unknown.map((member) => `member /${member}`),
  ].sort();
}

/** Checks that this reader, which followed the specification, did not have; nor notes. */
const NOT_READ = ['library-environment', 'link', 'category-count'];
const ALSO_READ = ['dialect-member', 'person-address'];
const comparable = (findings: readonly Finding[]): string[] =>
  findings
    .filter(({ verdict, rule }) => (verdict !== 'note' || ALSO_READ.includes(rule)) && !NOT_READ.includes(rule))
    .map(({ rule, pointer }) => {
      const name = rule === 'dialect-member' || rule === 'unknown-member' ? 'member' : rule;
      return rule.startsWith('person') ? `person ${pointer.replace(/\/\d+$/, '')}` : `${name} ${pointer}`;
    })
    .sort();

async function packageFindings(name: string, dialect: Dialect): Promise<Finding[]> {
  // One of its variants, which mostly share the same contents.
  const [folder] = await readPackageFolder(path.join(CORPUS, 'packages', name));
  const findings = (folder && validateFolder(folder, { dialect }))?.findings ?? [];
  return findings.filter(({ file }) => file === 'manifest');
}

const realManifests = (): void => {
  const files = globSync('**/*dappnode_package.json', { cwd: CORPUS });
  test('every file is validated, and its findings are inside it', () => {
    expect(files.length).toBeGreaterThan(100);
    for (const file of files) {
      const text = read(file);
      const lines = text.split(/\r\n|\n|\r/);
      for (const dialect of DIALECTS) {
        for (const { line, column, endLine, endColumn } of validateManifest(text, { dialect }).findings) {
          expect([file, column <= lines[line - 1]!.length + 1, endColumn <= lines[endLine - 1]!.length + 1]).toEqual([
            file,
            true,
            true,
          ]);
        }
      }
    }
  });

  const broken = rows(read('history/INDEX.md'), /^\| (\S+) \| (\S+) \| broken JSON: .*?line (\d+)/gm);
  test.each(broken)('%s/%s is invalid in line %s', (folder, file, line) => {
    const [first] = validateManifest(read(`history/${folder}/${file}`), { dialect: 'dappnode' }).findings.filter(
      ({ rule }) => rule === 'syntax'
    );
    expect(first?.line).toBe(Number(line));
  });
  test('other files are valid JSON', () => {
    expect(broken.length).toBeGreaterThan(3);
    const folders = new Set(broken.map(([folder]) => `history/${folder}`));
    const wrong = files.filter((file) => {
      const { findings } = validateManifest(read(file), { dialect: 'dappnode' });
      return findings.some(({ rule }) => rule === 'syntax') && !folders.has(path.posix.dirname(file));
    });
    expect(wrong).toEqual(['packages/honcho/dappnode_package.json']);
  });

  const table = rows(
    read('README.md').split('\n## Packages')[1]!.split('\n## ')[0]!,
    /^\| ([\w-]+) \| [\w.-]+\/.* \| (.*) \|$/gm
  );
  test.each(table)('the findings of %s are those listed', async (name, words) => {
    const breaks = words.split('**breaks:**')[1] ?? '';
    expect(comparable(await packageFindings(name, 'spec'))).toEqual(saidToBreak(breaks));
  });

  test('the findings are the expected ones', async () => {
    const shown = rows(readFileSync(EXPECTED, 'utf8'), /^\| `([\w-]+)` +\| +(\d+) +\| +(\d+) +\| +(\d+) +\|/gm);
    const found = [];
    for (const [name] of table) {
      const findings = await packageFindings(name!, DEFAULT_DIALECT);
      const count = (verdict: string): string => String(findings.filter((one) => one.verdict === verdict).length);
      found.push([name!, count('error'), count('warning'), count('note')]);
    }
    expect(shown).toEqual(found.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)));
  });

  test('the number of violations per rule in older manifests is the expected one', () => {
    const older = files.filter((file) => file.startsWith('history/'));
    const [, section = ''] = readFileSync(EXPECTED, 'utf8').split('\n## Older manifests');
    const rulesIn = (dialect: Dialect): string[] =>
      older.flatMap((file) => [...new Set(validateManifest(read(file), { dialect }).findings.map(({ rule }) => rule))]);
    const broken = { dappnode: rulesIn('dappnode'), spec: rulesIn('spec') };
    const found = Object.entries<Rule>(RULES)
      .map(([rule, verdicts]) => {
        const cells = (['dappnode', 'spec'] as const).map((dialect) => {
          const count = broken[dialect].filter((one) => one === rule).length;
          return count === 0 ? '–' : `${count} × ${verdicts[dialect]}`;
        });
        return [rule, ...cells];
      })
      .filter(([, ...cells]) => cells.some((cell) => cell !== '–'));
    expect(rows(section, /^\| `([\w-]+)` +\| +([^|]+?) +\| +([^|]+?) +\|$/gm)).toEqual(found);
    expect(section).toContain(`${older.length} older manifests`);
  });
};

if (CORPUS) {
  describe('real manifests', realManifests);
} else {
  test('real manifests are not tested: NODEBELL_CORPUS is not set to a folder that contains them', () => {
    process.stdout.write('Real packages were not tried: NODEBELL_CORPUS names no folder of them.\n');
    expect(CORPUS).toBe('');
  });
}
