import { expect, it } from 'vitest';
import { dropPackage, putEndpoint, putPackage } from './overview';
import { anEndpoint, aPackage, aThreshold } from './thresholds.testing';

const geth = aPackage({ dnpName: 'geth.dnp.dappnode.eth' });
const dms = aPackage();
const overview = { packages: [dms, geth], monitors: [] };

it('replaces a package, or inserts it by name', () => {
  const newer = aPackage({ version: '3.0.0' });
  expect(putPackage(overview, newer).packages).toEqual([newer, geth]);
  const erigon = aPackage({ dnpName: 'erigon.dnp.dappnode.eth' });
  expect(putPackage(overview, erigon).packages.map(({ dnpName }) => dnpName)).toEqual([
    'dms.dnp.dappnode.eth',
    'erigon.dnp.dappnode.eth',
    'geth.dnp.dappnode.eth',
  ]);
});

it('removes a package', () => {
  expect(dropPackage(overview, dms.dnpName).packages).toEqual([geth]);
});

it('replaces an endpoint and keeps the identity of everything else', () => {
  const moved = anEndpoint({ threshold: aThreshold({ value: 90, origin: 'user' }) });
  const after = putEndpoint(overview, dms.dnpName, moved);
  expect(after.packages[0]?.endpoints[0]).toBe(moved);
  expect(after.packages[0]?.endpoints[1]).toBe(dms.endpoints[1]);
  expect(after.packages[1]).toBe(geth);
});

it('does not confuse a custom endpoint with a monitored one of the same id', () => {
  const after = putEndpoint(overview, dms.dnpName, anEndpoint({ kind: 'custom' }));
  expect(after).toEqual(overview);
});
