/** Keys that are pressed in a call by Twilio, of a whole bridge. */
import { createHmac } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import { startReceiver } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { closing } from './channelsPage.testing.ts';
import { Folder } from './provisioning.testing.ts';

const PUBLIC = 'https://bell.example.org/bridge';
const ACCOUNT = `AC${'0a'.repeat(16)}`;
const TO = '+4915112345678';
const ALERT = { title: 'Disk full', body: 'of /data', dnpName: 'geth', correlationId: 'disk', status: 'triggered' };
const INVALID = 'The action is unknown, has expired, or is no longer offered by the channel.';

/** As documented: of the address, and of the fields by name. */
const signatureOf = (url: string, fields: Record<string, string>, token = 'the-auth-token'): string => {
  const text = Object.keys(fields)
    .sort()
    .map((name) => name + fields[name]);
  return createHmac('sha1', token)
    .update([url, ...text].join(''))
    .digest('base64');
};

async function withCall() {
  const twilio = await closing(startReceiver(() => ({ status: 201, body: { sid: `CA${'1'.repeat(32)}` } })));
  const folder = await Folder.make({
    'reach.yaml': `apiVersion: 1
channels:
  - name: call
    type: twilio
    url: '${twilio.url}'
    accountSid: ${ACCOUNT}
    token: $TOKEN
    fromNumber: '+15005550006'
    toNumber: '${TO}'
    callPriority: high
    actions: [acknowledge, resolve]
routes: [{ channels: [call] }]
`,
  });
  const { bridge } = await folder.start({ TOKEN: 'the-auth-token' }, { publicUrl: PUBLIC });
  const { body } = await bridge.post({ ...ALERT, priority: 'critical' });
  const { id } = body as { id: number };
  await vi.waitFor(() => expect(twilio.accepted).toHaveLength(1), { timeout: 60_000, interval: 20 });
  const [, url = ''] = /action="([^"]+)"/.exec(String(twilio.accepted[0]!.json.Twiml)) ?? [];
  const press = async (digit: string, { fields: more = {}, token = undefined as string | undefined } = {}) => {
    const fields = { CallSid: `CA${'1'.repeat(32)}`, AccountSid: ACCOUNT, To: TO, Digits: digit, ...more };
    // A proxy removes the path of the public address.
    const response = await fetch(url.replace(PUBLIC, bridge.url), {
      method: 'POST',
      headers: { 'X-Twilio-Signature': signatureOf(url, fields, token) },
      body: new URLSearchParams(fields),
    });
    return [response.status, response.headers.get('content-type'), await response.text()];
  };
  const timeline = async () => (await bridge.call<NotificationDetail>('GET', `/api/v1/notifications/${id}`)).timeline;
  return { url, press, timeline };
}
const says = (text: string) => [200, 'text/xml; charset=utf-8', `<Response><Say>${text}</Say></Response>`];

test('a key acknowledges once, in the name of the channel', async () => {
  const { url, press, timeline } = await withCall();
  expect(url).toMatch(/^https:\/\/bell\.example\.org\/bridge\/api\/v1\/actions\/twilio\?message=[\w-]{35}$/);
  expect(await press('1')).toEqual(says('Acknowledged.'));
  expect(await press('1')).toEqual(says('This was done already.'));
  expect(await timeline()).toMatchObject([{ kind: 'acknowledged', by: 'Twilio (call)' }]);
  expect(await press('3')).toEqual(says('Resolved.'));
});

test('a request that Twilio has not signed for this channel does nothing', async () => {
  const { press, timeline } = await withCall();
  expect(await press('1', { token: 'another-token' })).toEqual(says(INVALID));
  expect(await press('1', { fields: { To: '+4915112345679' } })).toEqual(says(INVALID));
  expect(await press('1', { fields: { AccountSid: `AC${'0b'.repeat(16)}` } })).toEqual(says(INVALID));
  expect(await press('2')).toEqual(says(INVALID));
  expect(await press('9')).toEqual(says(INVALID));
  expect(await timeline()).toBeUndefined();
});
