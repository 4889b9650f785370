import { expect, it } from 'vitest';
import type { Finding } from '@nodebell/contract/finding.ts';
import { countVerdicts, findingsByLine, orderFindings } from './findings';

const finding = (verdict: Finding['verdict'], file: Finding['file'], line: number): Finding => ({
  ...{ rule: 'r', verdict, title: `${verdict} ${file} ${line}`, detail: '', file, pointer: '', line, column: 1 },
  ...{ endLine: line, endColumn: 2 },
});
const MIXED = [
  finding('note', 'manifest', 1),
  finding('warning', 'compose', 1),
  finding('warning', 'manifest', 9),
  finding('error', 'notifications', 3),
  finding('warning', 'manifest', 2),
  finding('error', 'manifest', 9),
];

it('sorts by severity, file and line, and numbers the findings', () => {
  const ordered = orderFindings(MIXED);
  expect(ordered.map(({ title }) => title)).toEqual([
    'error manifest 9',
    'error notifications 3',
    'warning manifest 2',
    'warning manifest 9',
    'warning compose 1',
    'note manifest 1',
  ]);
  expect(ordered.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
});

it('groups findings by start line, most severe first', () => {
  const marks = findingsByLine(orderFindings(MIXED), 'manifest');
  expect(marks.get(9)?.map(({ verdict }) => verdict)).toEqual(['error', 'warning']);
  expect([...marks.keys()].toSorted()).toEqual([1, 2, 9]);
});

it('counts findings by severity', () => expect(countVerdicts(MIXED)).toEqual({ error: 2, warning: 3, note: 1 }));
