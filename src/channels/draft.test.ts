import type { ChannelStatus } from '@nodebell/contract/channel.ts';
import { expect, test } from 'vitest';
import { bodyOf, type Draft, draftOf, emptyDraft, readDraft } from './draft';

const STORED = {
  name: 'push',
  type: 'ntfy',
  disabled: false,
  settings: { url: 'https://ntfy.example.org', giveUpAfter: '24h', perMinute: 30, passing: 'high' },
  has: ['topic', 'token'],
} as unknown as ChannelStatus;

const draft = (change: Partial<Draft>): Draft => ({ ...emptyDraft(change.type ?? 'ntfy'), ...change });

test('an empty form names what is missing', () => {
  expect(readDraft(emptyDraft('telegram'))).toEqual({
    mistakes: { name: 'missing', chatId: 'missing', token: 'missing' },
  });
  expect(readDraft(emptyDraft('email'))).toEqual({
    mistakes: { name: 'missing', host: 'missing', from: 'missing', to: 'missing' },
  });
});

test.each([
  ['gotify', { url: 'https://push.example.org', token: 'T' }],
  ['pushover', { token: 'T', user: 'U', emergency: 'critical' }],
  ['matrix', { url: 'https://matrix.example.org', token: 'T', roomId: '!room' }],
  ['apprise', { url: 'https://apprise.example.org', key: 'K', tag: 'a, b' }],
  ['twilio', { accountSid: `AC${'0'.repeat(32)}`, token: 'T', fromNumber: '+15005550006', toNumber: '+4915112345678' }],
  ['ntfy', { topic: 't', token: 'T', call: '+12223334444' }],
] as const)('the form of %s writes its members', (type, values) => {
  expect(readDraft(draft({ name: 'p', type, values }))).toEqual({ body: { type, disabled: false, ...values } });
});

test('rules of several members are named at one', () => {
  expect(readDraft(draft({ name: 'p', values: { topic: 't', call: 'yes' } }))).toEqual({
    mistakes: { token: 'missing' },
  });
  const twilio = { accountSid: `AC${'0'.repeat(32)}`, token: 'T', fromNumber: 'Nodebell', toNumber: '+4915112345678' };
  const given = draft({ name: 'p', type: 'twilio', values: { ...twilio, callPriority: 'high' } });
  expect(readDraft(given)).toEqual({ mistakes: { fromNumber: 'invalid' } });
  expect(readDraft(draft({ name: 'p', type: 'twilio', values: twilio }))).toHaveProperty('body');
});

test('what is wrong is named', () => {
  const values = { host: 'h', from: 'a', to: 'a@b, c', port: 'x', username: 'u' };
  expect(readDraft(draft({ name: 'ä', type: 'email', values }))).toEqual({
    mistakes: { name: 'invalid', from: 'invalid', to: 'invalid', port: 'invalid', password: 'missing' },
  });
  expect(
    readDraft(draft({ name: 'm', type: 'email', values: { ...values, from: 'a@b', to: 'a@b', port: '25' } }))
  ).toEqual({
    mistakes: { password: 'missing' },
  });
});

test('texts become the body', () => {
  const values = { host: ' mail ', from: 'a@b', to: 'a@b;\nB <b@c>, ', port: '25', tls: 'none', perMinute: '5' };
  expect(readDraft(draft({ name: ' m ', type: 'email', values }))).toEqual({
    body: {
      type: 'email',
      disabled: false,
      host: 'mail',
      port: 25,
      tls: 'none',
      from: 'a@b',
      to: ['a@b', 'B <b@c>'],
      perMinute: 5,
    },
  });
});

test('a channel with a token or a webhook: either may be stored already', () => {
  const slack = (change: Partial<Draft>) => readDraft(draft({ name: 's', type: 'slack', ...change }));
  const body = { type: 'slack', disabled: false };
  expect(slack({})).toEqual({ mistakes: { token: 'missing' } });
  expect(slack({ values: { token: 'xoxb-1' } })).toEqual({ mistakes: { channel: 'missing' } });
  expect(slack({ values: { channel: 'C1' } })).toEqual({ mistakes: { token: 'missing' } });
  expect(slack({ kept: ['url'], stored: ['url'] })).toEqual({ body });
  expect(slack({ kept: ['token'], stored: ['token'], values: { channel: 'C1' } })).toEqual({
    body: { ...body, channel: 'C1' },
  });
  expect(slack({ stored: ['url'], values: { token: 'xoxb-1', channel: 'C1' } })).toEqual({
    body: { ...body, token: 'xoxb-1', channel: 'C1', url: null },
  });
  const hook = 'https://hooks.slack.com/services/T0/B0/x';
  expect(slack({ values: { token: 'xoxb-1', channel: 'C1', url: hook } })).toEqual({ mistakes: { url: 'invalid' } });
  const mattermost = draft({ name: 'm', type: 'mattermost', kept: ['url'], values: { token: 't' } });
  expect(readDraft(mattermost)).toEqual({ mistakes: { channel: 'missing' } });
  const rocket = draft({ name: 'r', type: 'rocketchat', kept: ['url'], values: { userId: 'u' } });
  expect(readDraft(rocket)).toEqual({ mistakes: { token: 'missing' } });
});

test('members of another kind are left out', () => {
  expect(readDraft(draft({ name: 'p', values: { topic: 't', host: 'h' } }))).toEqual({
    body: { type: 'ntfy', disabled: false, topic: 't' },
  });
});

test('what is stored and not read back is kept, replaced or removed', () => {
  const stored = draftOf(STORED);
  const base = {
    type: 'ntfy',
    disabled: false,
    url: 'https://ntfy.example.org',
    giveUpAfter: '24h',
    perMinute: 30,
    passing: 'high',
  };
  expect(readDraft(stored)).toEqual({ body: base });
  const replaced = { ...stored, kept: ['topic'], values: { ...stored.values, token: 'new' } };
  expect(readDraft(replaced)).toEqual({ body: { ...base, token: 'new' } });
  expect(readDraft({ ...stored, kept: ['topic'] })).toEqual({ body: { ...base, token: null } });
  expect(readDraft({ ...stored, kept: ['token'] })).toEqual({ mistakes: { topic: 'missing' } });
});

test('quiet hours are read, written and validated', () => {
  const quietHours = [{ days: ['mon-fri'], from: '22:00', to: '07:00', zone: 'Europe/Berlin' }];
  const channel: ChannelStatus = { ...STORED, settings: {}, quietHours, passing: 'none' };
  const whole = { type: 'ntfy', quietHours, passing: 'none', disabled: true };
  expect(bodyOf(channel, true)).toEqual(whole);
  const stored = draftOf(channel);
  expect(readDraft({ ...stored, disabled: true })).toEqual({ body: whole });
  // Left out, they are removed.
  expect(readDraft({ ...stored, quiet: { ...stored.quiet, hours: [] } })).toEqual({
    body: { type: 'ntfy', disabled: false },
  });
  const hours = [
    { days: [], from: '22:00', to: '22:00', zone: 'Europe/Berlin' },
    { days: [1], from: '', to: '07:00', zone: 'Mars/Olympus' },
  ];
  expect(readDraft({ ...stored, quiet: { ...stored.quiet, hours } })).toEqual({
    mistakes: {
      'quietHours.0.days': 'invalid',
      'quietHours.0.to': 'invalid',
      'quietHours.1.from': 'invalid',
      'quietHours.1.zone': 'invalid',
    },
  });
  const always = [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00', zone: 'UTC' }];
  expect(readDraft({ ...stored, quiet: { ...stored.quiet, hours: always } })).toEqual({
    mistakes: { quietHours: 'invalid' },
  });
});
