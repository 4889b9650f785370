/** Kind `twilio` against a receiver with the rules of Twilio's documentation (Messages and Calls resources, error dictionary). */
import { expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../receivers.testing.ts';
import { make, send } from './kinds.testing.ts';
import { LINES, LONG, RICH, started } from './services.testing.ts';

const ACCOUNT = `AC${'0a'.repeat(16)}`;
const KEY = `SK${'0b'.repeat(16)}`;
const SERVICE = `MG${'0c'.repeat(16)}`;
const TOKEN = 'the-auth-token';
const NUMBER = '+15005550006';
const failed = (status: number, code: number, message: string) => ({
  status,
  body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
});
const basic = (user: string) => `Basic ${Buffer.from(`${user}:${TOKEN}`).toString('base64')}`;

/** Elements that it knows, and escaped text. */
const TWIML =
  /^<Response>(<Gather numDigits="1" timeout="10" action="[^<>&"]+">)?(?:<Say>(?:[^<>&]|&(?:lt|gt|amp|quot);)+<\/Say>|<Pause length="\d"\/>)+(?:<\/Gather>)?<\/Response>$/;

function called({ From: from, Twiml: twiml }: Record<string, unknown>) {
  return from === NUMBER && TWIML.test(String(twiml)) && String(twiml).length <= 4000
    ? { status: 201, body: { sid: `CA${'0'.repeat(32)}`, status: 'queued' } }
    : failed(400, 21_218, 'Invalid ApplicationSid');
}
function texted({ From: from, MessagingServiceSid: service, Body: body }: Record<string, unknown>) {
  return (from === NUMBER || service === SERVICE) && typeof body === 'string' && body.length <= 1600
    ? { status: 201, body: { sid: `SM${'0'.repeat(32)}`, status: 'queued', error_code: null } }
    : failed(400, 21_617, 'The concatenated message body exceeds the 1600 character limit');
}

const startTwilio = (): Promise<Receiver> =>
  startReceiver(({ method, path, headers, json }) => {
    const resource = path.replace(`/2010-04-01/Accounts/${ACCOUNT}/`, '');
    if (method !== 'POST' || !['Messages.json', 'Calls.json'].includes(resource)) {
      return failed(404, 20_404, 'The requested resource was not found');
    }
    if (![basic(ACCOUNT), basic(KEY)].includes(headers.authorization ?? '')) {
      return failed(401, 20_003, 'Authenticate');
    }
    if (!/^\+[1-9]\d+$/.test(String(json.To))) {
      return failed(400, 21_211, `Invalid 'To' Phone Number: ${String(json.To)}`);
    }
    return resource === 'Calls.json' ? called(json) : texted(json);
  });

const withTwilio = async (given: object = {}) => {
  const twilio = await started(startTwilio());
  const base = { accountSid: ACCOUNT, token: TOKEN, fromNumber: NUMBER, toNumber: '+4915112345678' };
  return { twilio, channel: make({ type: 'twilio', url: twilio.url, ...base, ...given }) };
};

test('a text message, with its links as lines', async () => {
  const { twilio, channel } = await withTwilio();
  expect(await send(channel, RICH)).toEqual({ kind: 'delivered' });
  expect(twilio.accepted[0]!.json).toEqual({
    To: '+4915112345678',
    From: NUMBER,
    Body: `Important: ${RICH.title}\n${RICH.body}\ngeth.example.eth · hardware\n${LINES}`,
  });
});

test('a messaging service and an API key', async () => {
  const { twilio, channel } = await withTwilio({ fromNumber: SERVICE, keySid: KEY });
  expect(await send(channel)).toEqual({ kind: 'delivered' });
  expect(twilio.accepted[0]!.headers.authorization).toBe(basic(KEY));
  expect(twilio.accepted[0]!.json).not.toHaveProperty('From');
});

test('a long text is short as a text message, and its links are whole', async () => {
  const { twilio, channel } = await withTwilio();
  expect(await send(channel, { ...RICH, ...LONG })).toEqual({ kind: 'delivered' });
  expect(twilio.accepted[0]!.json.Body).toMatch(/^Important: "{308}…\nOpen <it>: /);
});

test('a call says the title twice, escaped', async () => {
  const { twilio, channel } = await withTwilio({ callPriority: 'high' });
  expect(await send(channel, { ...RICH, title: '<b>\u0000 & "b"\uFFFF' })).toEqual({ kind: 'delivered' });
  expect(await send(channel, LONG)).toEqual({ kind: 'delivered' });
  const say = '<Say>Important: &lt;b&gt;  &amp; &quot;b&quot; </Say>';
  expect(twilio.accepted[0]!.json.Twiml).toBe(`<Response>${say}<Pause length="1"/>${say}</Response>`);
});

const offered = (endpoint: string) => {
  const token = Buffer.alloc(42, 7).toString('base64url');
  const buttons = [
    { action: 'acknowledge' as const, label: 'Acknowledge', token },
    { action: 'resolve' as const, label: 'Resolve', token },
  ];
  return { buttons, actions: buttons.map((one) => ({ ...one, url: `${endpoint}#${token}`, endpoint })) };
};

test('a call takes a key, and its URL has no signature of a token', async () => {
  const { twilio, channel } = await withTwilio({ callPriority: 'high' });
  await send(channel, { priority: 'high', title: 'Disk full', ...offered('https://bridge.example.org/actions') });
  const say = '<Say>Important: Disk full. Press 1 to acknowledge, 3 to resolve.</Say>';
  const message = Buffer.alloc(26, 7).toString('base64url');
  expect(twilio.accepted[0]!.json.Twiml).toBe(
    `<Response><Gather numDigits="1" timeout="10" action="https://bridge.example.org/actions/twilio?message=${message}">${say}<Pause length="1"/>${say}</Gather></Response>`
  );
});

test('a call with an API key takes none: its auth token, which signs, is not known', async () => {
  const { twilio, channel } = await withTwilio({ callPriority: 'high', keySid: KEY });
  await send(channel, { priority: 'high', ...offered('https://bridge.example.org/actions') });
  expect(twilio.accepted[0]!.json.Twiml).not.toContain('Gather');
});

test('a long title and a long address fit into a call', async () => {
  const { twilio, channel } = await withTwilio({ callPriority: 'high' });
  const long = { ...LONG, priority: 'high' as const, ...offered(`https://bridge.example.org/${'a'.repeat(1900)}`) };
  expect(await send(channel, long)).toEqual({ kind: 'delivered' });
  expect(twilio.accepted[0]!.json.Twiml).toContain('Gather');
});

test('from its priority on, an alert that fires calls; its updates and its resolve are text messages', async () => {
  const { twilio, channel } = await withTwilio({ callPriority: 'high' });
  await send(channel, { priority: 'critical' });
  await send(channel, { priority: 'medium' });
  await send(channel, { priority: 'critical', ref: '' });
  await send(channel, { priority: 'critical', status: 'resolved' });
  expect(twilio.accepted.map(({ json }) => 'Twiml' in json)).toEqual([true, false, false, false]);
});

test.each([
  [failed(401, 20_003, 'Authenticate'), 'retry'],
  [failed(429, 20_429, 'Too Many Requests'), 'retry'],
  [failed(400, 21_611, 'The number has exceeded its maximum number of queued messages'), 'retry'],
  [failed(400, 21_610, 'Attempt to send to unsubscribed recipient'), 'refused'],
  [failed(400, 21_211, "Invalid 'To' Phone Number"), 'refused'],
] as const)('%j: %s', async (reply, kind) => {
  const { twilio, channel } = await withTwilio();
  twilio.reject(reply);
  const { status, code, message } = reply.body;
  expect(await send(channel)).toEqual({ kind, reason: `The server responds with ${status}: ${code} ${message}.` });
});
