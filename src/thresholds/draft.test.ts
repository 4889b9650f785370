import { describe, expect, it } from 'vitest';
import { addToDraft, pruneDraft, withDraft } from './draft';
import { anEndpoint, aSwitch, aThreshold } from './thresholds.testing';

const cpu = anEndpoint();

describe('an endpoint with draft settings', () => {
  it('is unchanged without settings', () => expect(withDraft(cpu, {})).toEqual(cpu));

  it('has the draft values with origin user', () => {
    const after = withDraft(cpu, { endpoints: { 'dms-cpu': { enabled: false, threshold: 60 } } });
    expect(after.enabled).toMatchObject({ value: false, shipped: true, origin: 'user' });
    expect(after.threshold).toMatchObject({ value: 60, shipped: 80, origin: 'user' });
    expect(after.mutedBy).toEqual(['endpoint']);
  });

  it('is muted by the package switch, and still by its category', () => {
    const muted = anEndpoint({ mutedBy: ['category'] });
    expect(withDraft(muted, { enabled: false }).mutedBy).toEqual(['package', 'category']);
    expect(withDraft(anEndpoint({ mutedBy: ['package'] }), { enabled: true }).mutedBy).toEqual([]);
    expect(withDraft(anEndpoint({ mutedBy: ['package'] }), {}).mutedBy).toEqual(['package']);
  });

  it('gets no threshold if it has none', () => {
    const { threshold: _, ...without } = cpu;
    expect(withDraft(without, { endpoints: { 'dms-cpu': { threshold: 60 } } }).threshold).toBeUndefined();
  });
});

describe('a further change', () => {
  it('is added to the draft', () => {
    const one = addToDraft({ enabled: false }, cpu, { threshold: 60 });
    expect(one).toEqual({ enabled: false, endpoints: { 'dms-cpu': { threshold: 60 } } });
    expect(addToDraft(one, cpu, { enabled: false }).endpoints).toEqual({
      'dms-cpu': { enabled: false, threshold: 60 },
    });
  });

  it('that reverts a change removes it from the draft', () => {
    const one = addToDraft({}, cpu, { threshold: 60 });
    expect(addToDraft(one, cpu, { threshold: null })).toEqual({});
    expect(addToDraft(one, cpu, { threshold: 80 })).toEqual({});
    expect(addToDraft(addToDraft({}, cpu, { enabled: false }), cpu, { enabled: true })).toEqual({});
  });

  it('back to the default is explicit if an update would keep another value', () => {
    const set = anEndpoint({
      enabled: aSwitch({ value: false, origin: 'user' }),
      threshold: aThreshold({ value: 60, origin: 'user' }),
    });
    expect(addToDraft({}, set, { threshold: null, enabled: null })).toEqual({
      endpoints: { 'dms-cpu': { enabled: true, threshold: 80 } },
    });
  });
});

it('keeps settings that still fit after the files changed', () => {
  const settings = {
    enabled: false,
    endpoints: {
      'dms-cpu': { enabled: false, threshold: 60 },
      'dms-memory': { threshold: 95 },
      gone: { enabled: false },
    },
  };
  const memory = anEndpoint({ correlationId: 'dms-memory', metric: { min: 0, max: 90, step: 1 } });
  expect(pruneDraft(settings, [cpu, memory])).toEqual({
    enabled: false,
    endpoints: { 'dms-cpu': { enabled: false, threshold: 60 } },
  });
  expect(pruneDraft({}, [cpu])).toEqual({});
});
