import { expect, test } from 'vitest';
import type { Incoming } from '../../inbox/notifications/receive.ts';
import { announceHandovers, type HandoverDeps } from './announceHandovers.ts';
import type { OnCallNote, OnCallState } from '../schedules/onCallState.ts';

test('a stop between the notifications and what is stored sends the same notifications again', async () => {
  const rotation = { people: ['ada', 'bob'], every: '1d', from: '2030-01-07T09:00' };
  let state: OnCallState = { announced: { people: ['ada'], at: 5 } };
  let isStopped = true;
  const received: Incoming[][] = [];
  const deps: HandoverDeps = {
    routing: {
      schedules: () => [{ name: 'db', file: 'a.yaml', announce: 'both', rotations: [rotation] }],
      stateOf: () => state,
      reachedBy: (to: string) => ({ to: [{ channel: `${to}'s phone` }] }),
      reload: () => Promise.resolve(),
    },
    receive: (incoming) => Promise.resolve(received.push(incoming)).then(() => []),
    writes: {
      submit: ((_write: unknown, note: OnCallNote) => {
        if (isStopped) {
          return Promise.reject(new Error('stopped'));
        }
        state = { ...state, ...note.state };
        return Promise.resolve();
      }) as HandoverDeps['writes']['submit'],
    },
    leads: () => true,
    now: () => Date.parse('2030-01-08T10:00Z'),
  };
  await expect(announceHandovers(deps)).rejects.toThrow('stopped');
  isStopped = false;
  await announceHandovers(deps);
  await announceHandovers(deps);
  expect(received).toHaveLength(2);
  expect(received[1]).toEqual(received[0]);
  expect(received[0]!.map(({ once, destinations }) => [once?.scope, once?.key, destinations?.channels])).toEqual([
    ['on call db 5', 'bob starts', ["person: bob's phone"]],
    ['on call db 5', 'ada ends', ["person: ada's phone"]],
  ]);
});
