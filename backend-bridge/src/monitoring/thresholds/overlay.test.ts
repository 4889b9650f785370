import { describe, expect, test } from 'vitest';
import type { SettingRow } from '../../platform/storage/schema.ts';
import { documentChanges, documentOf } from './exchange.ts';
import { overlayOf } from './overlay.ts';
import { DNP, monitored } from '../monitors/monitored.testing.ts';

const row = (changes: Partial<SettingRow>): SettingRow => ({
  dnp_name: DNP,
  correlation_id: 'geth-peers',
  member: 'threshold',
  file: '',
  value: 20,
  shipped: 10,
  subject: null,
  ts: 0,
  set_by: null,
  ...changes,
});
const user = row({});
const file = row({ file: 'all.yaml', value: 30 });

describe('a provisioned value', () => {
  test.each([[[user, file]], [[file, user]]])("takes precedence over an admin's, in any order", (rows) => {
    expect(overlayOf(rows).get('geth-peers', 'threshold')).toEqual(file);
  });

  test('is not exported, and is not changed by an import', () => {
    expect(documentOf([file, user], [])).toEqual({
      apiVersion: 1,
      packages: { [DNP]: { endpoints: { 'geth-peers': { threshold: 20 } } } },
    });
    const endpoints = { 'geth-peers': { threshold: 25, enabled: false } };
    const packages = [{ dnpName: DNP, version: '1.0.0', endpoints: [monitored().shipped] }];
    const categories = [{ category: 'hardware', enabled: 0 as const, file: 'all.yaml' }];
    const document = {
      apiVersion: 1 as const,
      packages: { [DNP]: { endpoints } },
      categories: { hardware: true, a: false },
    };
    const {
      changes,
      notes,
      categories: switched,
    } = documentChanges(document, { packages, rows: [file, user], categories });
    expect(changes.map(({ member, value }) => [member, value])).toEqual([['enabled', 0]]);
    expect(switched).toEqual([{ category: 'a', enabled: false }]);
    expect(notes).toEqual([
      `threshold of geth-peers of ${DNP} is provisioned by a file and stays.`,
      'The category "hardware" is provisioned by a file and stays.',
    ]);
  });
});
