/** Our validation of queries agrees with a real Prometheus. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import { BROKEN, MISTYPED, WHOLE } from '../../backend-bridge/src/monitoring/monitors/promqlCases.testing.ts';
import { ruleFile } from '../../backend-bridge/src/monitoring/monitors/prometheus/monitor.ts';
import { findPrograms } from './support/programs.ts';

/** Quoted label names are new in Prometheus 3. */
const isOfOld = (query: string): boolean => !query.includes('{"');
/** The length is our own limit, and promtool cannot detect a query that closes and reopens the parentheses of our template. */
const isForAll = (query: string): boolean => query.length < 10_000 && query !== 'up) or (up';

function takes(query: string): boolean {
  const folder = temporaryFolder();
  const file = path.join(folder, 'rules.yaml');
  const texts = { dnpName: 'geth.example.eth', correlationId: 'x', title: 'x', labels: {}, annotations: {} };
  writeFileSync(file, ruleFile([{ ...texts, expr: query, operator: '>', threshold: 1, forSeconds: 0, on: true }]));
  return spawnSync(findPrograms().promtool, ['check', 'rules', file]).status === 0;
}

test.each(WHOLE.filter(isOfOld))('accepted: %s', (query) => expect(takes(query)).toBe(true));
test.each([...BROKEN, ...MISTYPED].filter(([query]) => isForAll(query)))('rejected: %s', (query) =>
  expect(takes(query)).toBe(false)
);
