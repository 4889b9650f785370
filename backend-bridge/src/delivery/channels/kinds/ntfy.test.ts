/** Calls of kind `ntfy` against a receiver with the responses of ntfy (server/errors.go). */
import { describe, expect, test } from 'vitest';
import { NTFY, startNtfy } from '../receivers.testing.ts';
import { make, send } from './kinds.testing.ts';
import { started } from './services.testing.ts';

describe('calls of ntfy', () => {
  const NUMBER = '+12223334444';
  const calls = async (given: object, ...changes: Parameters<typeof send>[1][]) => {
    const ntfy = await started(startNtfy(NUMBER));
    const channel = make({ type: 'ntfy', url: ntfy.url, topic: 'node', token: 'tk_secret', call: NUMBER, ...given });
    for (const change of changes) {
      expect(await send(channel, change)).toMatchObject({ kind: 'delivered' });
    }
    return ntfy.accepted.map(({ json }) => json);
  };

  test('a critical alert calls when it fires: not an update of it, not its resolve, and no other', async () => {
    const sent = await calls(
      {},
      { priority: 'critical' },
      { priority: 'critical', ref: 'nb-3-7-abc' },
      { priority: 'critical', status: 'resolved' },
      { priority: 'high' }
    );
    expect(sent.map(({ call }) => call)).toEqual([NUMBER, undefined, undefined, undefined]);
  });

  test.each([
    [{ call: '+49151' }, 'No call: invalid request: phone number not verified, or no matching verified numbers found.'],
    [{ token: undefined }, 'No call: invalid request: anonymous phone calls are not allowed.'],
  ])('without a call, it is sent all the same and says why: %j', async (given, note) => {
    const [only] = await calls(given, { priority: 'critical' });
    expect(only).not.toHaveProperty('call');
    expect(only!.message).toMatch(new RegExp(`^${note.replaceAll('.', String.raw`\.`)}\n\nOnly 1 %`));
  });

  test('so is one beyond the daily limit of calls', async () => {
    const ntfy = await started(startNtfy(NUMBER));
    ntfy.reject(NTFY.callQuota);
    const channel = make({ type: 'ntfy', url: ntfy.url, topic: 'node', token: 'tk_secret', call: 'yes' });
    expect(await send(channel, { priority: 'critical' })).toMatchObject({ kind: 'delivered' });
    expect(ntfy.arrived.map(({ json }) => json.call)).toEqual(['yes', undefined]);
  });
});
