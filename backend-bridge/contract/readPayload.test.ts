import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PAYLOAD_MEMBERS, SET_BY_BRIDGE } from './notification.ts';
import { readPayload, readUsablePayload } from './readPayload.ts';

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
  it('with wrong labels is stored with the others, and says so', () => {
    const labels = { a: 'x', ['n'.repeat(129)]: 'x', long: 'ä'.repeat(513), count: 3, list: [] };
    const read = readUsablePayload({ ...base, labels }, (name) => name);
    expect(read).toMatchObject({ ok: true, value: { payload: { labels: { a: 'x', count: '3' } } } });
    expect(readPayload({ ...base, labels }).ok).toBe(false);
    const most = Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`l${index}`, 'ä'.repeat(512)]));
    expect(value({ ...base, labels: most })).toMatchObject({ payload: { labels: most } });
    expect(value({ ...base, labels: { ...most, another: 'x' } })).toMatchObject([
      { pointer: '/labels', allowed: 'at most 64 labels' },
    ]);
  });
  it('with an empty button is read without it, and says so', () => {
    const raw = { title: 'a', body: 'b', callToAction: {} };
    const ignored = [{ pointer: '/callToAction', reason: 'Has neither title nor url. The button was left out.' }];
    const read = { ok: true, value: { payload: { title: 'a', body: 'b' }, extra: undefined, ignored } };
    expect(readPayload(raw)).toEqual(read);
    expect(readUsablePayload(raw, (name) => name)).toEqual(read);
  });

  it.each(['', null])('with errors %j has none: it is shown in the inbox', (errors) => {
    const read = { ok: true, value: { payload: { title: 'a', body: 'b' }, extra: undefined } };
    expect(readPayload({ title: 'a', body: 'b', errors })).toEqual(read);
  });

  it('with errors {} is shown in the inbox, and says so', () => {
    expect(readUsablePayload({ title: 'a', body: 'b', errors: {} }, (name) => name)).toMatchObject({
      ok: true,
      value: {
        payload: { title: 'a', body: 'b' },
        ignored: [{ pointer: '/errors', reason: 'Must be text. Left out.' }],
      },
    });
  });

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

describe('a payload that is stored in any case', () => {
  const read = (sent: unknown) => {
    const reading = readUsablePayload(sent, (name) => name.slice(0, 10));
    return reading.ok ? reading.value : reading.errors;
  };
  const long = 'x'.repeat(2000);
  const removed = { ...base };
  it.each([
    ['/priority', { priority: 'urgent' }, removed, 'Stored as "low".'],
    ['/status', { status: 'firing' }, removed, 'Stored as an event, which opens and resolves nothing.'],
    ['/category', { category: 5 }, removed, 'Stored as "other".'],
    ['/category', { category: long }, { ...base, category: 'xxxxxxxxxx' }, 'Shortened, with a hash of the whole.'],
    ['/dnpName', { dnpName: ['a'] }, removed, 'Stored under the default package.'],
    ['/correlationId', { correlationId: {} }, removed, 'Stored in a thread of its own.'],
    ['/correlationId', { correlationId: 12 }, { ...base, correlationId: '12' }, 'Stored as text.'],
    ['/isBanner', { isBanner: 'perhaps' }, removed, 'Stored as false.'],
    ['/errors', { errors: ['a'] }, removed, 'Left out.'],
    ['/icon', { icon: 'javascript:x' }, removed, 'Left out.'],
    ['/callToAction', { callToAction: 'http://x' }, removed, 'The button was left out.'],
    ['/callToAction/url', { callToAction: { title: 'Go' } }, removed, 'The button was left out.'],
    ['/callToAction/url', { callToAction: { url: 'x' } }, removed, 'The button was left out.'],
    [
      '/callToAction/title',
      { callToAction: { url: '/x' } },
      { ...base, callToAction: { title: 'Open', url: '/x' } },
      'The button says "Open".',
    ],
    [
      '/callToAction/title',
      { callToAction: { title: long, url: '/x' } },
      { ...base, callToAction: { title: `${long.slice(0, 1021)}…`, url: '/x' } },
      'Cut.',
    ],
    ['/body', { body: undefined }, { title: 'T', body: '' }, 'Stored without text.'],
    ['/body', { body: 7.5 }, { title: 'T', body: '7.5' }, 'Stored as JSON.'],
    ['/body', { body: { free: '1 GB' } }, { title: 'T', body: '```json\n{"free":"1 GB"}\n```' }, 'Stored as JSON.'],
    [
      '/title',
      { title: 7, body: '\n> ## Disk full\n\nOn /data.' },
      { title: 'Disk full', body: '\n> ## Disk full\n\nOn /data.' },
      'The first line of the body is the title.',
    ],
  ])('%s: %j', (pointer, more, payload, done) => {
    expect(read({ ...base, ...more })).toEqual({
      payload,
      extra: undefined,
      ignored: [{ pointer, reason: expect.stringMatching(/^Must be .+\. /s) as unknown }],
    });
    expect(
      (read({ ...base, ...more }) as { ignored: { reason: string }[] }).ignored[0]!.reason.endsWith(` ${done}`)
    ).toBe(true);
  });
  it('without any change lists none', () => {
    expect(read({ ...base, priority: 'HIGH', more: 1 })).toEqual(value({ ...base, priority: 'HIGH', more: 1 }));
  });
  it('loses only the characters that cannot be stored', () => {
    const reason = 'characters that cannot be stored (NUL, half a surrogate pair) were removed or replaced';
    expect(read({ title: 'a\0b', body: 'B', more: { x: '\ud800' } })).toEqual({
      payload: { title: 'ab', body: 'B' },
      extra: { more: { x: '\ufffd' } },
      ignored: [
        { pointer: '/title', reason },
        { pointer: '/more/x', reason },
      ],
    });
  });
  it('lists a limited number of changes, with pointers of a limited length', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${long}${index}`, '\0']));
    const { ignored } = read({ ...base, priority: 1, ...many }) as { ignored: { pointer: string }[] };
    expect(ignored).toHaveLength(20);
    expect(ignored[0]).toMatchObject({ pointer: '/priority' });
    expect(ignored[1]!.pointer).toMatch(/^\/x{496}…$/);
  });
  it.each([
    {},
    { title: ' ' },
    { title: 7, body: 7 },
    { title: '', body: '\n' },
    { title: '\0', body: {} },
    [],
    null,
    'T',
  ])('has a title or a text: not %j', (sent) => {
    expect(read(sent)).toEqual(value(sent));
    expect(readUsablePayload(sent, String).ok).toBe(false);
  });
});
