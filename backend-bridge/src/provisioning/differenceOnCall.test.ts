import { describe, expect, test } from 'vitest';
import { type InUse, between } from './difference.testing.ts';

describe('schedules and people', () => {
  const file = `apiVersion: 1
channels: [{ name: hook, type: webhook, url: 'http://h/' }]
people: [{ login: ada, channels: [hook] }]
schedules: [{ name: db, rotations: [{ people: [ada], every: 1w, from: '2026-01-05T09:00' }] }]`;
  const schedule = {
    name: 'db',
    rotations: [{ people: ['ada'], every: '1w', from: '2026-01-05T09:00' }],
    file: 'a.yaml',
  };
  const ada = { login: 'ada', channels: ['hook'], file: 'a.yaml' };
  const channels = [{ name: 'hook', type: 'webhook' as const, target: 'h', giveUpAfter: '24h', perMinute: null }].map(
    (one) => ({ ...one, file: 'a.yaml' })
  );

  test.each<[string, Partial<InUse>, string[]]>([
    ['as they are', { schedules: [schedule], people: [ada] }, []],
    [
      'with an override that was added by the API',
      {
        schedules: [
          { ...schedule, overrides: [{ id: 'o', person: 'ada', from: '2026-01-05T09:00', to: '2026-01-06T09:00' }] },
        ],
        people: [ada],
      },
      [],
    ],
    [
      'new and gone',
      { people: [ada, { ...ada, login: 'bob' }] },
      ['a.yaml +schedule db: ada every 1w from 2026-01-05T09:00; UTC', 'a.yaml -person bob: no channels'],
    ],
    [
      'others',
      { schedules: [{ ...schedule, zone: 'Europe/Berlin' }], people: [{ ...ada, channels: ['mail'] }] },
      [
        'a.yaml ~schedule db: ada every 1w from 2026-01-05T09:00; Europe/Berlin → ada every 1w from 2026-01-05T09:00; UTC',
        'a.yaml ~person ada: mail → hook',
      ],
    ],
  ])('%s', async (_, inUse, expected) => {
    expect(await between({ 'a.yaml': file }, { ...inUse, channels })).toEqual(expected);
  });
});
