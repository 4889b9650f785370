import { expect, test } from 'vitest';
import { ADMIN } from './auth.ts';
import { senderKey } from '../http/senderKey.ts';
import { createNameOwners } from './nameOwners.ts';

const token = (id: string, more: { packages?: string[]; node?: string } = {}) => ({
  id,
  name: id,
  packages: more.packages ?? [],
  node: more.node,
});
const owners = createNameOwners([
  token('site', { node: 'site' }),
  token('geth', { packages: ['geth.eth', 'unknown', 'nodebell'] }),
  token('any'),
]);
const by = (id: string | undefined, signed?: boolean) => ({ sender: senderKey(id, '192.0.2.1'), signed });

test.each([
  ['site', 'site', 'own'],
  ['site', 'site/shed', 'free'],
  ['geth', 'site', 'foreign'],
  ['any', 'site/shed', 'foreign'],
  [undefined, 'site', 'foreign'],
  [ADMIN.id, 'site', 'own'],
  [undefined, 'site2', 'free'],
  ['any', 'other/site', 'free'],
] as const)('the token %s, for the node %s: %s', (id, node, claim) => {
  expect(owners.ofNode(node, by(id))).toBe(claim);
});

test.each([
  ['geth', 'geth.eth', undefined, 'own'],
  ['any', 'geth.eth', undefined, 'own'],
  ['site', 'geth.eth', 'site', 'own'],
  [undefined, 'geth.eth', undefined, 'foreign'],
  [undefined, 'geth.eth', 'attic', 'foreign'],
  [ADMIN.id, 'geth.eth', undefined, 'own'],
  [undefined, 'other.eth', undefined, 'free'],
  [undefined, 'unknown', undefined, 'own'],
  [undefined, 'nodebell', undefined, 'foreign'],
  ['geth', 'nodebell', undefined, 'foreign'],
  ['any', 'nodebell', undefined, 'foreign'],
  [ADMIN.id, 'nodebell', undefined, 'own'],
  ['site', 'nodebell', 'site', 'own'],
] as const)('the token %s, for the package %s from %s: %s', (id, dnpName, node, claim) => {
  expect(owners.ofPackage(dnpName, node, by(id))).toBe(claim);
});

test('Grafana sends for any package, but not as the bridge', () => {
  expect(owners.ofPackage('geth.eth', undefined, by(undefined, true))).toBe('own');
  expect(owners.ofPackage('nodebell', undefined, by(undefined, true))).toBe('foreign');
});
