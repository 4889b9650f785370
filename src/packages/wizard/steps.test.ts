import { describe, expect, it } from 'vitest';
import type { Finding } from '@nodebell/contract/finding.ts';
import type { PackagePreview } from '@nodebell/contract/package.ts';
import { aSummary } from '../packages.testing';
import { blocker, hasContent, stepFrom, STEPS, type Draft } from './steps';

const finding: Finding = {
  ...{ rule: 'r', verdict: 'error', title: 't', detail: 'd', file: 'manifest', pointer: '', line: 1, column: 1 },
  ...{ endLine: 1, endColumn: 2 },
};
const aPreview = (change: Partial<PackagePreview> = {}): PackagePreview => ({
  acceptable: true,
  findings: [],
  summary: aSummary(),
  change: { kind: 'install', to: '0.1.51' },
  warnings: [],
  notifications: [],
  endpoints: [],
  ...change,
});
const aDraft = (change: Partial<Draft> = {}): Draft => ({
  files: { manifest: '{}' },
  preview: aPreview(),
  expected: undefined,
  disclaimerAccepted: false,
  downgradeConfirmed: false,
  settings: {},
  ...change,
});

describe('step order', () => {
  const disclaimer = { message: 'm', approved: false };

  it('visits every step with content', () => {
    const preview = aPreview({ disclaimer });
    expect(STEPS.filter((step) => hasContent(step, preview))).toEqual([
      'manifest',
      'findings',
      'disclaimer',
      'register',
    ]);
    expect(stepFrom('findings', 1, preview)).toBe('disclaimer');
    expect(stepFrom('register', -1, preview)).toBe('disclaimer');
  });

  it('skips empty steps in both directions and stops at the ends', () => {
    expect(stepFrom('findings', 1, aPreview())).toBe('register');
    expect(stepFrom('register', -1, aPreview())).toBe('findings');
    expect(stepFrom('register', 1, aPreview())).toBe('register');
    expect(stepFrom('manifest', -1, undefined)).toBe('manifest');
  });
});

describe('blocker', () => {
  it('reports a missing manifest', () => {
    expect(blocker('manifest', aDraft({ files: { manifest: ' \n' } }))).toMatch(/Add a manifest/);
    expect(blocker('manifest', aDraft())).toBeUndefined();
  });

  it('reports the number of errors', () => {
    const preview = aPreview({ acceptable: false, findings: [finding, finding, { ...finding, verdict: 'note' }] });
    expect(blocker('findings', aDraft({ preview }))).toBe('Fix 2 errors to continue');
    expect(blocker('findings', aDraft({ preview: aPreview({ findings: [{ ...finding, verdict: 'warning' }] }) }))).toBe(
      undefined
    );
  });

  it('reports a manifest of another package on update', () => {
    expect(blocker('findings', aDraft({ expected: 'other.eth' }))).toContain('other.eth is being updated');
    expect(blocker('findings', aDraft({ expected: aSummary().dnpName }))).toBeUndefined();
  });

  it('requires accepting a new disclaimer', () => {
    const preview = aPreview({ disclaimer: { message: 'm', approved: false } });
    expect(blocker('disclaimer', aDraft({ preview }))).toMatch(/^Accept/);
    expect(blocker('disclaimer', aDraft({ preview, disclaimerAccepted: true }))).toBeUndefined();
    expect(
      blocker('disclaimer', aDraft({ preview: aPreview({ disclaimer: { message: 'm', approved: true } }) }))
    ).toBeUndefined();
  });

  it.each(['downgrade', 'changed'] as const)('requires confirming a change of kind %s', (kind) => {
    const preview = aPreview({ change: { kind, from: '2.0.0', to: '1.0.0' } });
    expect(blocker('register', aDraft({ preview }))).toMatch(/^Confirm/);
    expect(blocker('register', aDraft({ preview, downgradeConfirmed: true }))).toBeUndefined();
  });

  it('reports that nothing changes', () => {
    expect(blocker('register', aDraft({ preview: aPreview({ change: { kind: 'same', to: '1.0.0' } }) }))).toMatch(
      /No changes/
    );
    expect(blocker('register', aDraft())).toBeUndefined();
  });
});
