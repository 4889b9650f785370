import { describe, expect, it } from 'vitest';
import { addToDraft, fittingDraft, withDraft } from './draft';
import { anEndpoint, aSwitch, aThreshold } from './testData';

const cpu = anEndpoint();

describe('an endpoint with what is to be set', () => {
  it('stays the same without settings', () => expect(withDraft(cpu, {})).toEqual(cpu));

  it('has the values that were set, and says that somebody set them', () => {
    const after = withDraft(cpu, { endpoints: { 'dms-cpu': { enabled: false, threshold: 60 } } });
    expect(after.enabled).toMatchObject({ value: false, shipped: true, origin: 'user' });
    expect(after.threshold).toMatchObject({ value: 60, shipped: 80, origin: 'user' });
    expect(after.mutedBy).toEqual(['endpoint']);
  });

  it('is muted by its package, and by its category as before', () => {
    const muted = anEndpoint({ mutedBy: ['category'] });
    expect(withDraft(muted, { enabled: false }).mutedBy).toEqual(['package', 'category']);
    expect(withDraft(anEndpoint({ mutedBy: ['package'] }), { enabled: true }).mutedBy).toEqual([]);
    expect(withDraft(anEndpoint({ mutedBy: ['package'] }), {}).mutedBy).toEqual(['package']);
  });

  it('has no threshold where it has none', () => {
    const { threshold: _, ...without } = cpu;
    expect(withDraft(without, { endpoints: { 'dms-cpu': { threshold: 60 } } }).threshold).toBeUndefined();
  });
});

describe('one more change', () => {
  it('is added to those before', () => {
    const one = addToDraft({ enabled: false }, cpu, { threshold: 60 });
    expect(one).toEqual({ enabled: false, endpoints: { 'dms-cpu': { threshold: 60 } } });
    expect(addToDraft(one, cpu, { enabled: false }).endpoints).toEqual({
      'dms-cpu': { enabled: false, threshold: 60 },
    });
  });

  it('that takes back what was changed leaves nothing behind', () => {
    const one = addToDraft({}, cpu, { threshold: 60 });
    expect(addToDraft(one, cpu, { threshold: null })).toEqual({});
    expect(addToDraft(one, cpu, { threshold: 80 })).toEqual({});
    expect(addToDraft(addToDraft({}, cpu, { enabled: false }), cpu, { enabled: true })).toEqual({});
  });

  it('back to the package sets its value where an update would keep another', () => {
    const set = anEndpoint({
      enabled: aSwitch({ value: false, origin: 'user' }),
      threshold: aThreshold({ value: 60, origin: 'user' }),
    });
    expect(addToDraft({}, set, { threshold: null, enabled: null })).toEqual({
      endpoints: { 'dms-cpu': { enabled: true, threshold: 80 } },
    });
  });
});

it('keeps what fits when the files have become others', () => {
  const settings = {
    enabled: false,
    endpoints: {
      'dms-cpu': { enabled: false, threshold: 60 },
      'dms-memory': { threshold: 95 },
      gone: { enabled: false },
    },
  };
  const memory = anEndpoint({ correlationId: 'dms-memory', metric: { min: 0, max: 90, step: 1 } });
  expect(fittingDraft(settings, [cpu, memory])).toEqual({
    enabled: false,
    endpoints: { 'dms-cpu': { enabled: false, threshold: 60 } },
  });
  expect(fittingDraft({}, [cpu])).toEqual({});
});
