/** Helpers for the tests of the specification. */
import { expect } from 'vitest';
import { expectProblem, NOTIFICATIONS, type Payload, type TestBridge } from './support.ts';

export function payloadsOf(bridge: () => TestBridge) {
  /** The payload without one member. */
  function without(member: string): Payload {
    const { [member]: _gone, ...rest } = {
      title: 'A title',
      body: 'A body.',
      category: 'system',
      dnpName: 'one.dnp',
    } as Payload;
    return rest;
  }

  /** With `?strict=true`: without it, all but a missing text is taken (ignoredMembers.test.ts). */
  async function refused(payload: Payload, pointer: string): Promise<{ found: string; allowed: string }> {
    const before = await bridge().list('muted=all&errors=all&limit=1000');
    const { errors } = expectProblem(await bridge().request('POST', `${NOTIFICATIONS}?strict=true`, payload), 400);
    expect(errors.map((error) => error.pointer)).toEqual([pointer]);
    expect(await bridge().list('muted=all&errors=all&limit=1000')).toEqual(before);
    return errors[0]!;
  }

  /** The notification as listed, which must equal the response to the sender. */
  async function stored(payload: Payload) {
    const sent = await bridge().send(payload);
    const { members: _members, ...kept } = await bridge().get(sent.id);
    expect(kept).toEqual(sent);
    return kept;
  }

  return { without, refused, stored };
}
