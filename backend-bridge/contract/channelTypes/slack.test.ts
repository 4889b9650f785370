import { expect, test } from 'vitest';
import { pageChannelSchema } from '../channelChange.ts';

const APP = { appToken: 'xapp-1' };
const issuesOf = (more: object) =>
  pageChannelSchema
    .safeParse({ name: 'team', type: 'slack', token: 'xoxb-1', ...more })
    .error?.issues.map(({ path, message }) => [...path, message]) ?? [];

test.each(['C0123456789', 'G0123456789', 'D0123456789'])('%s is a channel with buttons', (channel) => {
  expect(issuesOf({ channel, ...APP })).toEqual([]);
});

test.each(['#ops', 'ops', '@ada', 'c0123456789', 'U0123456789', 'C'])('%s is none with buttons', (channel) => {
  expect(issuesOf({ channel, ...APP })).toEqual([
    ['channel', expect.stringContaining('an ID such as C0123456789 where there is an app-level token')],
  ]);
});

test('without an app-level token, a name is accepted', () => {
  expect(issuesOf({ channel: '#ops' })).toEqual([]);
});
