import { describe, expect, it } from 'vitest';
import { GATUS_BODY, gatusBody } from '../../../contract/gatusWebhook.ts';
import { payloadSchema } from '../../../contract/notification.ts';
import { fromGatus, type ReadGatus } from './fromGatus.ts';
import { fillAsGatus } from './gatusFill.testing.ts';

function read(text: string): ReadGatus {
  const result = fromGatus(text);
  if (!result.ok) {
    throw new Error(JSON.stringify(result.errors));
  }
  return result.value;
}
const payloadOf = (text: string) => read(text).incoming.payload;
const mistakeOf = (text: string) => {
  const result = fromGatus(text);
  return result.ok ? undefined : result.errors[0];
};

describe('the recommended body', () => {
  it('is JSON, of which Gatus makes a notification', () => {
    expect(() => JSON.parse(GATUS_BODY) as unknown).not.toThrow();
    const { incoming, notes } = read(fillAsGatus(GATUS_BODY, { errors: 'dial tcp: "geth": no such host' }));
    expect(notes).toEqual([]);
    expect(incoming.source).toBe('gatus');
    expect(incoming.payload).toEqual({
      title: 'geth-rpc',
      body: 'geth does not answer\n\nErrors: `dial tcp: "geth": no such host`\n\n- ❌ `[STATUS] (503) == 200`',
      category: 'ethereum',
      dnpName: 'gatus',
      correlationId: 'ethereum_geth-rpc',
      priority: 'high',
      status: 'triggered',
      isBanner: false,
    });
    expect(incoming.extra).toMatchObject({ gatus: { url: 'http://geth.dappnode:8545', endpoint: 'geth-rpc' } });
  });

  it('of one endpoint says what its package says', () => {
    const body = gatusBody({
      title: 'Geth is "out of" sync \\o/',
      category: 'hoodi',
      dnpName: 'geth.dnp.dappnode.eth',
      correlationId: 'geth-eth-syncing',
      priority: 'critical',
      isBanner: true,
      callToAction: { title: 'Logs', url: '/packages/geth' },
    });
    const expected = {
      title: 'Geth is "out of" sync \\o/',
      category: 'hoodi',
      dnpName: 'geth.dnp.dappnode.eth',
      correlationId: 'geth-eth-syncing',
      priority: 'critical',
      isBanner: true,
      callToAction: { title: 'Logs', url: '/packages/geth' },
    };
    expect(payloadOf(fillAsGatus(body))).toMatchObject(expected);
    // And also when a condition breaks it.
    const broken = fillAsGatus(body, { conditions: '❌ - `[BODY].state (down) == "up"`' });
    expect(() => JSON.parse(broken) as unknown).toThrow();
    expect(payloadOf(broken)).toMatchObject({ ...expected, body: expect.stringContaining('== "up"') as string });
  });

  it('of a resolved endpoint closes the same thread and lists no conditions', () => {
    const resolved = payloadOf(fillAsGatus(GATUS_BODY, { status: 'RESOLVED', conditions: '✅ - `[STATUS] == 200`' }));
    expect(resolved).toMatchObject({
      status: 'resolved',
      correlationId: 'ethereum_geth-rpc',
      body: 'geth does not answer',
    });
  });

  it('fills in the value of a condition, which Gatus shows when it failed', () => {
    const facts = { description: 'CPU is at [CONDITION_VALUE] %', conditions: '❌ - `[BODY].data[0] (91.5) <= 80`' };
    expect(payloadOf(fillAsGatus(GATUS_BODY, facts)).body).toMatch(/^CPU is at 91.5 %\n/);
    const resolved = { ...facts, status: 'RESOLVED', conditions: '✅ - `[BODY].data[0] <= 80`' };
    expect(payloadOf(fillAsGatus(GATUS_BODY, resolved)).body).toBe('CPU is at unknown %');
  });

  it('of an old Gatus, which leaves placeholders in place, shows none', () => {
    const text = fillAsGatus(GATUS_BODY, { errors: '[RESULT_ERRORS]', conditions: '[RESULT_CONDITIONS]' });
    expect(payloadOf(text).body).toBe('geth does not answer');
  });

  it.each([
    ['TRIGGERED', 'triggered'],
    ['RESOLVED', 'resolved'],
    ['Resolved ', 'resolved'],
    ['firing', 'triggered'],
    ['OK', 'resolved'],
    ['down', 'triggered'],
  ])('status %s → %s', (status, expected) => {
    expect(payloadOf(fillAsGatus(GATUS_BODY, { status })).status).toBe(expected);
  });

  it('with an unknown status is an event, with a note', () => {
    const { incoming, notes } = read(fillAsGatus(GATUS_BODY, { status: 'kaputt' }));
    expect(incoming.payload.status).toBeUndefined();
    expect(notes[0]).toContain('"kaputt"');
  });
});

describe('a body of somebody’s own', () => {
  it('needs a title, or an endpoint, and nothing else', () => {
    expect(payloadOf('{"title":"Down"}')).toEqual({ title: 'Down', body: '', priority: 'low', isBanner: false });
    expect(payloadOf('{"gatus":{"endpoint":"web","group":"core"},"isBanner":"true"}')).toMatchObject({
      title: 'web',
      category: 'core',
      correlationId: 'core_web',
      isBanner: true,
    });
  });

  it('keeps members that we do not know', () => {
    expect(read('{"title":"Down","region":"eu"}').incoming.extra).toEqual({ region: 'eu' });
    expect(read('{"title":"Down"}').incoming.extra).toBeUndefined();
  });

  it('with `errors` is shown: they are of the endpoint, not of the delivery', () => {
    const { payload } = read('{"title":"Down","errors":"timeout"}').incoming;
    expect(payload.errors).toBeUndefined();
    expect(payload.body).toBe('Errors: `timeout`');
  });

  it('drops links that are not safe, and keeps the alert', () => {
    const { incoming, notes } = read(
      '{"title":"Down","callToAction":{"title":"x","url":"javascript:alert(1)"},"icon":"data:x","priority":"P1"}'
    );
    expect(incoming.payload).toEqual({ title: 'Down', body: '', priority: 'medium', isBanner: false });
    expect(notes).toHaveLength(3);
    expect(payloadOf('{"title":"Down","icon":"/i.svg"}').icon).toBe('/i.svg');
  });

  it('in another order is read as long as each name occurs once', () => {
    const text = '{"title":"Down","dnpName":"a.dnp","body":"is "down"","isBanner":true,"status":"TRIGGERED"}';
    const { incoming, notes } = read(text);
    expect(incoming.payload).toMatchObject({
      dnpName: 'a.dnp',
      body: 'is "down"',
      isBanner: true,
      status: 'triggered',
    });
    expect(notes[0]).toContain('not JSON');
  });

  it.each([
    ['[]', '#'],
    ['null', '#'],
    ['{"title":5}', '/title'],
    ['{"body":"x"}', '/title'],
    ['{"title":" ","gatus":{"endpoint":""}}', '/title'],
  ])('%s is refused at %s', (text, pointer) => expect(mistakeOf(text)).toMatchObject({ pointer }));

  it('is not lost for members of a wrong type', () => {
    const link = { title: 1, url: '/x' };
    const gatus = { endpoint: 'geth', group: 7, url: {} };
    const { incoming, notes } = read(JSON.stringify({ title: 5, priority: 3, icon: [], callToAction: link, gatus }));
    expect(incoming.payload).toMatchObject({ title: 'geth', callToAction: { title: 'Open', url: '/x' } });
    expect(incoming.payload).not.toHaveProperty('icon');
    expect(notes).toEqual([
      '"title" must be text; found 5. Left out.',
      '"priority" must be text; found 3. Left out.',
      '"callToAction.title" must be text; found 1. Left out.',
      '"icon" must be text; found a list. Left out.',
      '"gatus.group" must be text; found 7. Left out.',
      '"gatus.url" must be text; found an object. Left out.',
    ]);
  });

  it.each(['', '{', 'TRIGGERED', '{"body":"a"b"}', '{"title":"","body":"a"b"}', '"title"', '\0'.repeat(10)])(
    'is refused with the reason when nothing can be recovered: %j',
    (text) => {
      const mistake = mistakeOf(text);
      expect(mistake).toBeDefined();
      expect(mistake!.detail).toMatch(text === '"title"' ? /object/ : /not JSON.*recovered/s);
    }
  );

  it('becomes a payload that a sender could have sent', () => {
    const { payload } = read(fillAsGatus(GATUS_BODY, { name: 'a\0b\ud800', conditions: '"' })).incoming;
    expect(payloadSchema.parse(payload)).toEqual(payload);
    expect(payload.title).toBe('ab\ufffd');
  });
});

describe('a body that lost something', () => {
  it('says so at the end of the notification', () => {
    const { incoming, notes } = read(fillAsGatus(GATUS_BODY, { url: 'http://x/?q="a","errors":"b' }));
    expect(incoming.payload.title).toBe('geth-rpc');
    expect(incoming.payload.body).toMatch(/could not be read in full: .*wrong place\.$/);
    expect(notes.join()).toContain('wrong place');
  });

  it('that was cut off keeps what arrived', () => {
    const whole = fillAsGatus(GATUS_BODY);
    const { incoming } = read(whole.slice(0, whole.indexOf('"gatus":{"layout"') + 60));
    expect(incoming.payload).toMatchObject({ title: 'geth-rpc', status: 'triggered' });
    expect(incoming.payload.body).toContain('the end of the body is missing');
    expect(incoming.payload.body).toContain('not found: gatus.group');
  });

  it('is read in time that grows with its length, whatever it holds', () => {
    const length = 250_000;
    const hostile = ['"', ' ', '}', '",', ',"title":"', '","body":"', '":', '","url":"x', '\\"', 'true '].map(
      (part) => `{"title":"t","body":"${part.repeat(length / part.length)}`
    );
    const started = performance.now();
    for (const text of hostile) {
      fromGatus(text);
      fromGatus(`${text}x`);
    }
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});
