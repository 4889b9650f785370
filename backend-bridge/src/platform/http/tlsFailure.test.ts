import { expect, test } from 'vitest';
import { tlsFailure } from './tlsFailure.ts';

// Errors of Node 24. The others are tested against servers: tests/integration/channelsTls.test.ts.
test.each([
  [
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    '40FD49A6F67F0000:error:0A00045C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required:../rec_layer_s3.c:918:SSL alert number 116\n',
    'it requires a client certificate, which the bridge does not have',
  ],
  [
    'EPROTO',
    'write EPROTO 40FD49A6F67F0000:error:0A000410:SSL routines:ssl3_read_bytes:ssl/tls alert handshake failure:../rec_layer_s3.c:918:SSL alert number 40\n',
    'ssl/tls alert handshake failure',
  ],
  ['ERR_SSL_OTHER', 'other\r\nwords', 'other words'],
])('%s', (code, message, why) => {
  expect(tlsFailure({ code, message }, 'a.example.org', 'as host')).toBe(`No TLS connection to a.example.org: ${why}.`);
});

test('names in a certificate are bounded, and no lines of their own', () => {
  const cert = { subjectaltname: `DNS:a\n${', DNS:b'.repeat(1000)}` };
  const text = tlsFailure({ code: 'ERR_TLS_CERT_ALTNAME_INVALID', message: '', cert }, 'x', 'as host')!;
  expect(text).toMatch(/^The certificate of x is valid for a , b, b, [^\n]*… only: configure such a name as host\.$/);
  expect(text.length).toBeLessThan(300);
});

test('other failures are not about TLS', () => {
  expect(tlsFailure({ code: 'ECONNREFUSED', message: 'refused' }, 'x', 'as host')).toBeUndefined();
  expect(tlsFailure({ message: 'no code' }, 'x', 'as host')).toBeUndefined();
});
