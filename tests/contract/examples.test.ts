/** The example in provisioning/nodebell, which `npm start` uses and operators copy, is valid. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { DIALECTS } from '../../backend-bridge/contract/finding.ts';
import { validateFolder } from '../../backend-bridge/src/packages/files/validateFolder.ts';
import { readPackageFolder } from '../../backend-bridge/src/packages/files/readPackageFolder.ts';
import { loadFile } from '../../backend-bridge/src/provisioning/loadFile.ts';
import { readProvisioningFile } from '../../backend-bridge/src/provisioning/readFile.ts';

const DIR = path.join(import.meta.dirname, '..', '..', 'provisioning', 'nodebell');
const FILE = 'packages.yaml';
const text = await readFile(path.join(DIR, FILE), 'utf8');
const NAMES = ['hostmetrics.example.eth', 'ember.example.eth', 'projector.example.eth'];

test('it provisions its packages, without findings', async () => {
  const { findings, wanted } = await loadFile(DIR, FILE, {});
  expect(findings).toEqual([]);
  expect(wanted?.packages.map(({ name }) => name)).toEqual(NAMES);
});

test('the commented examples are valid', () => {
  const start = text.indexOf('# categories:');
  const set = text.slice(0, start).replaceAll(/^ {4}# (settings:| {2}.*)$/gm, '    $1');
  const all =
    set +
    text.slice(start).replaceAll(/^# ((?:categories|senders|chains|channels|routes|heartbeats):| {2}.*)$/gm, '$1');
  const { findings, read } = readProvisioningFile(FILE, all, {
    CI_TOKEN: 'the-token-of-the-pipeline',
    BOT_TOKEN: '123456789:AAabcdefghijklmnopqrstuvwxyz0123456',
    SLACK_TOKEN: 'xoxb-the-token-of-the-bot',
    ATTIC_TOKEN: 'the-token-of-the-attic',
  });
  expect(findings).toEqual([]);
  expect(read?.value.packages?.[1]?.settings?.endpoints).toEqual({ 'ember-peers': { threshold: 15 } });
  expect(read?.value.chains).toMatchObject({ 'ember.example.eth': { interval: '30s' } });
  expect(read?.value.categories).toEqual({ hardware: false });
  expect(read?.value.channels?.map(({ type }) => type)).toEqual(['telegram', 'slack', 'nodebell']);
  expect(read?.value.routes).toHaveLength(2);
  expect(read?.value.heartbeats).toMatchObject([{ sender: 'backup job', interval: '25h' }]);
  expect(read?.value.senders?.map(({ name }) => name)).toEqual(['backup job', 'ci']);
});

describe.each(NAMES)('%s', (name) => {
  test.each(DIALECTS)('has no findings in the dialect %s, except for onUpdate', async (dialect) => {
    const [folder, ...variants] = await readPackageFolder(path.join(DIR, 'packages', name.split('.')[0]!));
    expect(variants).toEqual([]);
    expect(folder?.problems).toEqual([]);
    const findings = validateFolder(folder!, { dialect })?.findings ?? [];
    // DAppNode never shows it, but Nodebell does.
    expect(findings.filter(({ rule }) => rule !== 'update-warning-unread')).toEqual([]);
  });
});
