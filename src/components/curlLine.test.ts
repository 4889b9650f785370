import { expect, it } from 'vitest';
import { curlLine } from './curlLine';

const URL = 'http://bridge:8080';

it('has a token only if senders need one', () => {
  expect(curlLine(URL, { auth: 'sender-open', webhookSecret: false })).not.toContain('Authorization');
  const guarded = curlLine(URL, { auth: 'token', webhookSecret: true });
  expect(guarded).toContain(`-H 'Authorization: Bearer '"$NODEBELL_TOKEN" \\\n  -d`);
});

it('quotes the address of the bridge for the shell', () => {
  expect(curlLine(URL, undefined)).toContain(`'${URL}/api/v1/notifications'`);
  expect(curlLine(`${URL}//`, undefined)).toContain(`'${URL}/api/v1/notifications'`);
  expect(curlLine("http://bridge/it's", undefined)).toContain("'http://bridge/it%27s/api/v1/notifications'");
});
