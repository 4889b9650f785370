import { describe, expect, it } from 'vitest';
import { checkSignature, REPLAY_WINDOW_MS } from './signature.ts';

/**
 * Made without our code:
 *   printf '{"alerts":[]}' | openssl dgst -sha256 -hmac 'correct horse battery staple'
 *   printf '1795212250:{"alerts":[]}' | openssl dgst -sha256 -hmac 'correct horse battery staple'
 */
const SECRET = 'correct horse battery staple';
const BODY = Buffer.from('{"alerts":[]}');
const OF_BODY = '3972a72c98bb999c5f1eb3917f9c5f858763ccd91e1880e67b5b865b815d9f00';
const OF_TIME_AND_BODY = '1bb6cfdd5d0f561715b5ee8099a020502945169776e68fcb227681d358772221';
const TIMESTAMP = '1795212250';
const NOW = 1_795_212_250_000;

const check = (signature?: string, timestamp?: string, now = NOW, body = BODY, secret = SECRET) =>
  checkSignature({ body, signature, timestamp }, secret, now);

describe("the signature of Grafana's webhook", () => {
  it('is taken over the body', () => {
    expect(check(OF_BODY)).toBe('valid');
    expect(check(OF_BODY.toUpperCase())).toBe('valid');
  });

  it('is taken over the time and the body when the header of the time is there', () => {
    expect(check(OF_TIME_AND_BODY, TIMESTAMP)).toBe('valid');
  });

  it('of one mode is not taken for the other', () => {
    expect(check(OF_BODY, TIMESTAMP)).toBe('wrong');
    expect(check(OF_TIME_AND_BODY)).toBe('wrong');
  });

  it('is refused when a byte of the body, the secret, the time or the signature differs', () => {
    expect(check(OF_BODY, undefined, NOW, Buffer.from('{"alerts":[] }'))).toBe('wrong');
    expect(check(OF_BODY, undefined, NOW, BODY, `${SECRET}!`)).toBe('wrong');
    expect(check(OF_TIME_AND_BODY, '1795212251')).toBe('wrong');
    expect(check(OF_BODY.replace(/^3/, '4'))).toBe('wrong');
  });

  it.each([undefined, ''])('is missing: %j', (signature) => expect(check(signature)).toBe('missing'));

  it.each(['sha256=' + OF_BODY, OF_BODY.slice(2), `${OF_BODY}, ${OF_BODY}`, 'x'.repeat(64), 'é'.repeat(64)])(
    'is refused when it is not 64 hexadecimal digits: %j',
    (signature) => expect(check(signature)).toBe('wrong')
  );

  it.each(['', 'yesterday', '-1', '1e9', '1795212250.5', '1795212250, 1795212250', '9'.repeat(400)])(
    'is refused when the time is not unix seconds: %j',
    (timestamp) => expect(check(OF_TIME_AND_BODY, timestamp)).toBe('wrong')
  );

  it('is old when the time is more than five minutes away, on either side', () => {
    expect(check(OF_TIME_AND_BODY, TIMESTAMP, NOW + REPLAY_WINDOW_MS)).toBe('valid');
    expect(check(OF_TIME_AND_BODY, TIMESTAMP, NOW + REPLAY_WINDOW_MS + 1)).toBe('old');
    expect(check(OF_TIME_AND_BODY, TIMESTAMP, NOW - REPLAY_WINDOW_MS)).toBe('valid');
    expect(check(OF_TIME_AND_BODY, TIMESTAMP, NOW - REPLAY_WINDOW_MS - 1)).toBe('old');
  });

  it('that is old and wrong is wrong: whoever cannot sign learns nothing of our clock', () => {
    expect(check(OF_BODY, TIMESTAMP, NOW + 2 * REPLAY_WINDOW_MS)).toBe('wrong');
  });
});
