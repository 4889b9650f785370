/**
 * Validation of notifications and compose files of real packages. NODEBELL_CORPUS names a folder with packages in `packages/`
 * and older files in `history/`, whose INDEX.md lists the invalid notifications files.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../backend-bridge/contract/finding.ts';
import { alertSentence, readCondition, withValue } from '../../backend-bridge/contract/condition.ts';
import { validateNotifications } from '../../backend-bridge/src/validation/notifications/validateNotifications.ts';
import { validateCompose } from '../../backend-bridge/src/validation/validateCompose.ts';
import { validateFolder } from '../../backend-bridge/src/packages/files/validateFolder.ts';
import { readPackageFolder } from '../../backend-bridge/src/packages/files/readPackageFolder.ts';

const CORPUS = process.env.NODEBELL_CORPUS;

function found(pattern: string): { file: string; text: string }[] {
  const root = CORPUS ?? '';
  return globSync(pattern, { cwd: root }).map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
}

/** Each finding is inside its text. */
function inside(findings: readonly Finding[], text: string): boolean {
  const lines = text.split(/\r\n|\n|\r/);
  const within = (line: number, column: number): boolean => column <= (lines[line - 1]?.length ?? -1) + 1;
  return findings.every(
    ({ column, detail, endColumn, endLine, line }) =>
      within(line, column) && within(endLine, endColumn) && detail !== ''
  );
}

const realFiles = (): void => {
  const notifications = found('**/*notifications.{yaml,yml,json}');
  const composes = found('**/docker-compose.{yml,yaml}');

  test('only invalid notifications files have errors, with positions', () => {
    expect(notifications.length).toBeGreaterThan(10);
    const broken = notifications.flatMap(({ file, text }) => {
      const { customEndpoints, endpoints, findings } = validateNotifications(text);
      expect([file, inside(findings, text)]).toEqual([file, true]);
      const errors = findings.filter(({ verdict }) => verdict === 'error');
      expect(errors.length > 0 || endpoints.length + customEndpoints.length > 0).toBe(true);
      return errors.map(({ line, rule }) => `${path.basename(path.dirname(file))} ${rule} ${line > 1}`);
    });
    const index = readFileSync(path.join(CORPUS ?? '', 'history/INDEX.md'), 'utf8');
    const known = [...index.matchAll(/^\| (\S+) \|.*broken YAML/gm)].map(([, name]) => `${name} yaml-syntax true`);
    expect(broken.sort()).toEqual(known.sort());
  });

  test('compose files have no errors, and define services', () => {
    expect(composes.length).toBeGreaterThan(30);
    for (const { file, text } of composes) {
      const { facts, findings } = validateCompose(text, 'any');
      const errors = findings.filter(({ verdict }) => verdict === 'error');
      expect([file, errors, inside(findings, text)]).toEqual([file, [], true]);
      expect(facts?.services.length).toBeGreaterThan(0);
    }
  });

  test('a condition with a metric has a number, and any other a reason', () => {
    const all = notifications.flatMap(({ text }) => validateNotifications(text).endpoints);
    expect(all.length).toBeGreaterThan(10);
    for (const { conditions, metric } of all) {
      const [text = ''] = conditions;
      const read = readCondition(text);
      expect(read.number !== undefined || (metric === undefined && read.readOnly !== undefined)).toBe(true);
      if (read.number) {
        const { start, end } = read.number.span;
        expect(withValue(text, 42)).toBe(`${text.slice(0, start)}42${text.slice(end)}`);
        expect(alertSentence(read, metric?.unit)).toMatch(/^alerts /);
      }
    }
  });

  test('each folder is read with its variants, and each finding is inside one of its files', async () => {
    const folders = new Set(found('{packages,history}/*/dappnode_package.json').map(({ file }) => path.dirname(file)));
    expect(folders.size).toBeGreaterThan(100);
    for (const dir of folders) {
      const read = await readPackageFolder(path.join(CORPUS ?? '', dir));
      const variants = globSync(`${dir}/package_variants/*/`, { cwd: CORPUS ?? '' }).length;
      expect([dir, read.length]).toEqual([dir, Math.max(1, variants)]);
      for (const folder of read) {
        expect([dir, folder.problems]).toEqual([dir, []]);
        const findings = validateFolder(folder, { dialect: 'dappnode' })?.findings ?? [];
        for (const finding of findings) {
          const file = Object.values(folder.sources)
            .flat()
            .find((one) => one.path === finding.path);
          expect([dir, finding.path, file && inside([finding], file.text)]).toEqual([dir, finding.path, true]);
        }
      }
    }
  });
};

if (CORPUS) {
  describe('real files', realFiles);
} else {
  test('real files are not tested: NODEBELL_CORPUS is not set to a folder that contains them', () => {
    process.stdout.write('Real packages were not tried: NODEBELL_CORPUS names no folder of them.\n');
    expect(CORPUS ?? '').toBe('');
  });
}

// The conditions of all known files, with their numbers.
test.each([
  ['[BODY].data.is_syncing == false', undefined],
  ['[BODY].data.connected >= 10', 10],
  ['[BODY].result == false', undefined],
  ['[BODY].result >= 10', 10],
  ['[BODY].data.result[0].value[1] <= 80', 80],
  ['[BODY].data.result[0].value[1] < 0.10', 0.1],
  ['[BODY].data.result[0].value[1] > 0.80', 0.8],
  ['[BODY].data.result[0].value[1] <= 0', 0],
  ['[BODY].data.result[0].value[1] == 1', 1],
  ['([STATUS] == 200 && [BODY].result == true)', undefined],
  ['([STATUS] == 200 && [BODY].result != false)', undefined],
])('%s', (text, value) => expect(readCondition(text).number?.value).toBe(value));
