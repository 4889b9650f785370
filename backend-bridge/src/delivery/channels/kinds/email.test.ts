/** Kind `email` against a real mail server. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { SMTPServerOptions } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { portOf } from '../../../listening.testing.ts';
import { createAuthority } from '../certificates.testing.ts';
import { type MailServer, startMail } from '../receivers.testing.ts';
import { make, send } from './kinds.testing.ts';

async function started(options: SMTPServerOptions): Promise<MailServer> {
  const mail = await startMail(options);
  onTestFinished(() => mail.close());
  return mail;
}

const plain = {
  type: 'email',
  host: '127.0.0.1',
  tls: 'none',
  from: 'Nodebell <bell@example.org>',
  to: ['admin@example.org'],
} satisfies Parameters<typeof make>[0];

test('a thread is one conversation', async () => {
  const mail = await started({ disabledCommands: ['STARTTLS', 'AUTH'] });
  const channel = make({ ...plain, port: mail.port, to: ['admin@example.org', 'Op <op@example.org>'] });
  const sent = await send(channel, { priority: 'critical' });
  expect(sent).toEqual({ kind: 'delivered', ref: '<nb-3-7-abc.chan@example.org>' });
  const ref = (sent as { ref: string }).ref;
  await send(channel, { id: 8, key: 'nb-3-8-abd', ref, status: 'resolved' });
  const [first, second] = mail.mails;
  expect(first!.to).toEqual(['admin@example.org', 'op@example.org']);
  expect(first!.headers).toMatchObject({
    subject: 'Critical: Disk full',
    'message-id': ref,
    'list-id': 'Nodebell <chan.nodebell.example.org>',
    'auto-submitted': 'auto-generated',
  });
  expect(first!.headers).not.toHaveProperty('in-reply-to');
  expect(second!.headers).toMatchObject({ subject: 'Resolved: Disk full', 'in-reply-to': ref, references: ref });
  expect(second!.headers['message-id']).not.toBe(ref);
});

test('nothing of a notification becomes a header', async () => {
  const mail = await started({ disabledCommands: ['STARTTLS', 'AUTH'] });
  const channel = make({ ...plain, port: mail.port });
  const title = 'Hot\r\nBcc: victim@example.org\r\n\r\n<script>\u2028X: y';
  await send(channel, { title, body: '.\r\nRCPT TO:<victim@example.org>\r\n.\r\n' });
  expect(mail.mails).toHaveLength(1);
  expect(mail.mails[0]!.to).toEqual(['admin@example.org']);
  expect(mail.mails[0]!.headers).not.toHaveProperty('bcc');
  expect(mail.mails[0]!.headers.subject).toContain('Hot Bcc: victim@example.org');
});

test.each([
  [451, 'retry'],
  [554, 'refused'],
])('%i: %s', async (status, kind) => {
  const mail = await started({ disabledCommands: ['STARTTLS', 'AUTH'] });
  mail.reject(status);
  expect(await send(make({ ...plain, port: mail.port }))).toMatchObject({
    kind,
    reason: `The mail server 127.0.0.1 rejects the mail: ${status} not now.`,
  });
});

test('an address that the server rejects is named, while the others get the mail', async () => {
  const mail = await started({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _session, callback) =>
      callback(address === 'op@example.org' ? Object.assign(new Error('no such user'), { responseCode: 550 }) : null),
  });
  const to = ['admin@example.org', 'Op <op@example.org>'];
  expect(await send(make({ ...plain, port: mail.port, to }))).toEqual({
    kind: 'delivered',
    ref: '<nb-3-7-abc.chan@example.org>',
    warning: 'The mail server 127.0.0.1 rejects op@example.org: 550 no such user. The other recipients get the mail.',
  });
  expect(mail.mails.map((one) => one.to)).toEqual([['admin@example.org']]);
});

test('a recipient that the server defers gets the mail with the next attempt, the others do not get it again', async () => {
  const responses: Record<string, number[]> = {
    'new@example.org': [450],
    'op@example.org': [550],
    'full@example.org': [452, 452],
  };
  const mail = await started({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, callback) {
      const responseCode = responses[address]?.shift();
      callback(responseCode === undefined ? null : Object.assign(new Error('not now'), { responseCode }));
    },
  });
  const to = ['admin@example.org', 'New <new@example.org>', 'op@example.org', 'full@example.org'];
  const channel = make({ ...plain, port: mail.port, to });
  expect(await send(channel)).toMatchObject({ kind: 'delivered', isDeferred: true });
  expect(await send(channel)).toMatchObject({ kind: 'delivered', isDeferred: true });
  expect(await send(channel)).toEqual({
    kind: 'delivered',
    ref: '<nb-3-7-abc.chan@example.org>',
    warning: 'The mail server 127.0.0.1 rejects op@example.org: 550 not now. The other recipients get the mail.',
  });
  expect(mail.mails.map((one) => one.to)).toEqual([['admin@example.org'], ['new@example.org'], ['full@example.org']]);
  expect(new Set(mail.mails.map(({ headers }) => headers.to))).toHaveProperty('size', 1);
});

test('deferred recipients who are all rejected later are named in a warning', async () => {
  const responses = [450, 550];
  const mail = await started({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, callback) {
      const responseCode = address === 'op@example.org' ? responses.shift() : undefined;
      callback(responseCode === undefined ? null : Object.assign(new Error('no'), { responseCode }));
    },
  });
  const channel = make({ ...plain, port: mail.port, to: ['admin@example.org', 'op@example.org'] });
  await send(channel);
  expect(await send(channel)).toEqual({
    kind: 'delivered',
    ref: '<nb-3-7-abc.chan@example.org>',
    warning: 'The mail server 127.0.0.1 rejects op@example.org: 550 no. The other recipients get the mail.',
  });
  expect(mail.mails).toHaveLength(1);
});

test('without TLS nothing is sent, unless the operator allows it', async () => {
  const mail = await started({ disabledCommands: ['STARTTLS'] });
  expect(await send(make({ ...plain, tls: 'starttls', port: mail.port }))).toMatchObject({
    kind: 'retry',
    reason: expect.stringMatching(/^No encrypted connection to 127\.0\.0\.1/),
  });
  expect(mail.mails).toEqual([]);
});

test.each(['starttls', 'implicit'] as const)('%s: a certificate that nobody trusts is not accepted', async (tls) => {
  const certificate = createAuthority().issue(['127.0.0.1']);
  const mail = await started({ ...certificate, secure: tls === 'implicit' });
  expect(await send(make({ ...plain, tls, port: mail.port }))).toEqual({
    kind: 'retry',
    reason:
      "The certificate of the mail server 127.0.0.1 is not trusted: unable to verify the first certificate. If its authority is a private one, start the bridge with NODE_EXTRA_CA_CERTS, the file of the authority's certificate.",
  });
  expect(mail.mails).toEqual([]);
});

test('a certificate that has expired is named so', async () => {
  const mail = await started(createAuthority().issue(['127.0.0.1'], [-2, -1]));
  const reason = 'The certificate of the mail server 127.0.0.1 has expired.';
  expect(await send(make({ ...plain, tls: 'starttls', port: mail.port }))).toEqual({ kind: 'retry', reason });
  expect(mail.mails).toEqual([]);
});

test('a wrong password is retried, and in no reason', async () => {
  const mail = await started({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, callback) => callback(new Error(`Invalid password ${password}`)),
  });
  const outcome = await send(make({ ...plain, port: mail.port, username: 'bell', password: 'hunter2-secret' }));
  expect(outcome).toMatchObject({ kind: 'retry', reason: expect.stringMatching(/^Authentication failed at 127/) });
  expect(JSON.stringify(outcome)).not.toContain('hunter2-secret');
});

test('a part of the password is in no reason either', async () => {
  const mail = await started({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, callback) => callback(new Error(`${'x'.repeat(170)} ${password}`)),
  });
  const password = 'hunter2-secret-that-is-long-enough-to-be-cut-somewhere-in-its-middle';
  const outcome = await send(make({ ...plain, port: mail.port, username: 'bell', password }));
  expect(outcome).toMatchObject({ kind: 'retry', reason: expect.stringMatching(/x …\.$/) });
});

test('of several addresses, the first that is reachable', async () => {
  const mail = await started({ disabledCommands: ['STARTTLS', 'AUTH'] });
  const addresses = ['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 }));
  const lookup = () => Promise.resolve(addresses);
  const channel = make({ ...plain, host: 'localhost', port: mail.port }, { lookup });
  expect(await send(channel)).toMatchObject({ kind: 'delivered' });
  // A rejection by one server is not retried on another.
  addresses.reverse();
  mail.reject(554);
  expect(await send(channel)).toMatchObject({ kind: 'refused' });
  expect(mail.mails).toHaveLength(1);
});

test('a server that is silent, or gone, is retried', async () => {
  const silent = createServer((socket) => socket.end());
  const port = await portOf(silent);
  expect(await send(make({ ...plain, port }))).toMatchObject({ kind: 'retry' });
  expect(await send(make({ ...plain, port: 1 }))).toMatchObject({ kind: 'retry' });
});

test('a server that never ends its greeting does not outlast the time for a message', async () => {
  const server = createServer((socket) => {
    const more = setInterval(() => socket.write('250-more\r\n'), 10);
    socket.on('error', () => undefined).on('close', () => clearInterval(more));
    socket.write('220 slow\r\n');
  });
  const port = await portOf(server);
  const greeted = once(server, 'connection');
  const late = new AbortController();
  const outcome = send(make({ ...plain, port }), {}, [], late.signal);
  await greeted;
  late.abort();
  expect(await outcome).toEqual({ kind: 'retry', reason: expect.stringContaining('127.0.0.1') });
});
