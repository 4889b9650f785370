/** Calls of kind `ntfy` against a receiver with the responses of ntfy (server/errors.go). */
import { describe, expect, test } from 'vitest';
import { NTFY, startNtfy } from '../receivers.testing.ts';
import { make, send } from './kinds.testing.ts';
import { started } from './services.testing.ts';

describe('a long text stays a message', () => {
  const url = `https://g.example/${'x'.repeat(1900)}`;
  const actions = [
    { label: 'Acknowledge', url, endpoint: 'https://bridge.example/api/v1/actions', token: 't'.repeat(56) },
    { label: 'Show', url },
  ];
  test.each([
    ['of single bytes', { body: 'x'.repeat(9000) }],
    ['that JSON escapes', { body: '"\n'.repeat(4000) }],
    [
      'beside links',
      { title: '"'.repeat(9000), body: '"'.repeat(9000), callToAction: { title: 'Open', url }, actions },
    ],
    [
      'beside links that are too long',
      {
        body: 'x'.repeat(9000),
        callToAction: { title: 'Open', url: url.repeat(4) },
        actions: [{ label: 'Show', url: url.repeat(4) }],
      },
    ],
  ])('%s', async (_what, change) => {
    const ntfy = await started(startNtfy('yes'));
    const channel = make({ type: 'ntfy', url: ntfy.url, topic: 'node', token: 'tk_secret', call: 'yes' });
    expect(await send(channel, { priority: 'critical', ...change })).toMatchObject({ kind: 'delivered' });
    expect(ntfy.accepted[0]!.json.message).toMatch(/^["x\n]{1000,}…$/);
  });
});

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
