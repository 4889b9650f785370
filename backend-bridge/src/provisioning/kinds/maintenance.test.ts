import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../folder.testing.ts';
import { loadFolder } from '../loadFolder.ts';

test('windows, rules and routes with invalid matchers are rejected, with their place', async () => {
  const dir = temporaryFolder();
  writeFileSync(
    path.join(dir, 'a.yaml'),
    `apiVersion: 1
maintenance: [{ name: Backup, matchers: 'package=~"("', weekly: [{ from: '02:00', to: '04:00' }] }]
inhibit_rules: [{ source_matchers: ['a="1"'], target_matchers: ['b!="2"'] }]
channels: [{ name: hook, type: webhook, url: 'http://127.0.0.1:9/' }]
routes: [{ channels: [hook], matchers: 'a=~"("' }]`
  );
  const { files } = await loadFolder(dir, {});
  expect(files[0]!.findings.map(({ pointer, title, detail }) => [pointer, title, detail])).toEqual([
    ['/maintenance/0/matchers', 'Invalid matchers', expect.stringContaining('missing')],
    ['/inhibit_rules/0/target_matchers', 'Invalid matchers', expect.stringContaining('must not match the empty text')],
    ['/routes/0/matchers', 'Invalid matchers', expect.stringContaining('missing')],
  ]);
});
