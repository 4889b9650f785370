import { describe, expect, it } from 'vitest';
import { readPriority } from './priority.ts';

describe('severity → priority', () => {
  it.each([
    ['critical', 'critical'],
    ['error', 'high'],
    ['high', 'high'],
    ['warning', 'medium'],
    ['medium', 'medium'],
    ['info', 'low'],
    ['low', 'low'],
    ['CRITICAL', 'critical'],
    [' Warning ', 'medium'],
    ['page', 'critical'],
  ])('%j → %s', (word, priority) => expect(readPriority(word)).toEqual({ priority }));

  it('nobody gave one: the default of every notification', () => {
    expect(readPriority(undefined, null, ' ')).toEqual({ priority: 'low' });
  });

  it('an unknown word is medium, and is named', () => {
    expect(readPriority('sev-3')).toEqual({ priority: 'medium', unknown: 'sev-3' });
    expect(readPriority('constructor')).toEqual({ priority: 'medium', unknown: 'constructor' });
  });

  it('the first known word wins', () => {
    expect(readPriority('critical', 'low')).toEqual({ priority: 'critical' });
    expect(readPriority('sev-3', 'HIGH')).toEqual({ priority: 'high' });
  });
});
