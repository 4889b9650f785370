import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PAYLOAD_MEMBERS, SET_BY_BRIDGE } from './notification.ts';
import { readPayload } from './readPayload.ts';

const base = { title: 'T', body: 'B' };
const value = (sent: unknown) => {
  const read = readPayload(sent);
  return read.ok ? read.value : read.errors;
};

describe('a payload', () => {
  it('of title and body alone stays as it is: defaults are taken where it is stored', () => {
    expect(value(base)).toEqual({ payload: base, extra: undefined });
  });
  it('is read leniently where its meaning is clear', () => {
    const sent = {
      ...base,
      priority: ' HIGH',
      status: 'Resolved ',
      isBanner: ' True',
      icon: ' https://a/i ',
      callToAction: { title: 'Go', url: ' /x ', more: 1 },
    };
    expect(value(sent)).toEqual({
      payload: {
        ...base,
        priority: 'high',
        status: 'resolved',
        isBanner: true,
        icon: 'https://a/i',
        callToAction: { title: 'Go', url: '/x' },
      },
      extra: undefined,
    });
  });
  it.each([...PAYLOAD_MEMBERS].filter((name) => name !== 'title' && name !== 'body'))(
    '%s may be empty or null, which is to leave it out',
    (name) => {
      for (const nothing of ['', null]) {
        expect(value({ ...base, [name]: nothing })).toEqual({ payload: base, extra: undefined });
      }
    }
  );
  it('keeps what it does not know, apart', () => {
    expect(value({ ...base, isRemote: false, a: { b: [null] }, constructor: 1 })).toEqual({
      payload: base,
      extra: { isRemote: false, a: { b: [null] }, constructor: 1 },
    });
    const own = JSON.parse('{"title":"T","body":"B","__proto__":{"priority":"high"}}') as unknown;
    const read = value(own) as { payload: object; extra: object };
    expect(read.payload).toEqual(base);
    expect(Object.keys(read.extra)).toEqual(['__proto__']);
  });
  it.each([...SET_BY_BRIDGE])('drops %s, which is the bridge’s to set', (name) => {
    expect(value({ ...base, [name]: 'x' })).toEqual({ payload: base, extra: undefined });
  });
  it('names every mistake, with what was found and what is allowed', () => {
    expect(value({ body: 1, priority: 'urgent', callToAction: { title: 'Go', url: 'javascript:x' } })).toEqual([
      { pointer: '/title', found: 'nothing', allowed: 'text', detail: '"title" must be text; found nothing.' },
      { pointer: '/body', found: '1', allowed: 'text', detail: '"body" must be text; found 1.' },
      {
        pointer: '/priority',
        found: '"urgent"',
        allowed: 'one of "low", "medium", "high", "critical"',
        detail: '"priority" must be one of "low", "medium", "high", "critical"; found "urgent".',
      },
      {
        pointer: '/callToAction/url',
        found: '"javascript:x"',
        allowed: 'an http: or https: address, or a path that begins with /',
        detail:
          '"callToAction.url" must be an http: or https: address, or a path that begins with /; found "javascript:x".',
      },
    ]);
  });
  it.each([null, undefined, 1, 'text', true, [], [base]])('is an object: not %j', (sent) => {
    expect(value(sent)).toMatchObject([{ pointer: '#', allowed: 'a JSON object with at least "title" and "body"' }]);
  });
  it('of any shape is read or refused, never thrown at', () => {
    const member = fc.constantFrom(...PAYLOAD_MEMBERS, ...SET_BY_BRIDGE, 'other', '__proto__', 'toString');
    const payload = fc.dictionary(member, fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(fc.oneof(payload, fc.jsonValue()), (sent) => {
        const read = readPayload(sent);
        expect(read.ok || read.errors.length > 0).toBe(true);
      }),
      { numRuns: 500 }
    );
  });
  it('that was read reads the same again', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 });
    const sent = fc.record(
      {
        title: text,
        body: text,
        category: text,
        priority: fc.constantFrom('low', 'HIGH'),
        status: fc.constantFrom('Triggered', 'resolved'),
        isBanner: fc.constantFrom(true, 'false'),
        icon: fc.webUrl(),
      },
      { requiredKeys: ['title', 'body'] }
    );
    fc.assert(
      fc.property(sent, (one) => {
        const first = readPayload(one);
        fc.pre(first.ok);
        expect(readPayload(first.value.payload)).toEqual(first);
      })
    );
  });
});
