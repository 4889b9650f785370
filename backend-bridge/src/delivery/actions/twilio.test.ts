import { expect, test } from 'vitest';
import { isSigned } from './twilio.ts';

/** The example of Twilio's documentation and libraries. */
const FIELDS = {
  CallSid: 'CA1234567890ABCDE',
  Caller: '+14158675309',
  Digits: '1234',
  From: '+14158675309',
  To: '+18005551212',
};
const SIGNATURE = 'RSOYDt4T1cUTdK1PDd93/VVr8B8=';
const signed = (url: string, { fields = FIELDS, signature = SIGNATURE, token = '12345' } = {}) =>
  isSigned(signature, token, url, new URLSearchParams(fields));

test.each(['https://mycompany.com/myapp.php?foo=1&bar=2', 'https://mycompany.com:443/myapp.php?foo=1&bar=2'])(
  'a request to %s is signed',
  (url) => {
    expect(signed(url)).toBe(true);
    expect(signed(`${url}3`)).toBe(false);
    expect(signed(url, { token: '12346' })).toBe(false);
    expect(signed(url, { fields: { ...FIELDS, Digits: '1' } })).toBe(false);
    expect(signed(url, { signature: '' })).toBe(false);
  }
);
