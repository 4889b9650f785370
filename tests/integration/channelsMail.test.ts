/** Mail over TLS to a server with a certificate of a private authority, which the process of the bridge is configured to trust. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SMTPServerOptions } from 'smtp-server';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ChannelTest } from '../../backend-bridge/contract/channel.ts';
import { type Authority, createAuthority } from '../../backend-bridge/src/delivery/channels/certificates.testing.ts';
import { type MailServer, startMail } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { BridgeProcess } from './badInputProcess.testing.ts';

let authority: Authority;
beforeAll(() => {
  authority = createAuthority();
});

/** @param hosts for which its certificate is valid */
async function mailServer(hosts: string[], secure: boolean): Promise<MailServer> {
  const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, _session, callback) =>
    callback(null, { user: `${username}:${password}` });
  const mail = await startMail({ ...authority.issue(hosts), secure, onAuth });
  onTestFinished(() => mail.close());
  return mail;
}

/** Sends a test over each channel. @param channels their name, host, port and TLS, as in a file */
async function tryOut(channels: Record<string, string>, isTrusted: boolean): Promise<Record<string, ChannelTest>> {
  const dir = mkdtempSync(path.join(tmpdir(), 'nodebell-mail-'));
  writeFileSync(path.join(dir, 'ca.pem'), authority.cert);
  const lines = Object.entries(channels).map(
    ([name, more]) =>
      `  - { name: ${name}, type: email, from: bell@example.org, to: [a@example.org], username: bell, password: $PASSWORD, ${more} }`
  );
  writeFileSync(path.join(dir, 'mail.yaml'), `apiVersion: 1\nchannels:\n${lines.join('\n')}\n`);
  const bridge = await BridgeProcess.start(path.join(dir, 'data'), {
    NODEBELL_PROVISIONING_DIR: dir,
    PASSWORD: 'hunter2',
    ...(isTrusted && { NODE_EXTRA_CA_CERTS: path.join(dir, 'ca.pem') }),
  });
  onTestFinished(async () => {
    await bridge.stop();
    rmSync(dir, { recursive: true });
  });
  const results: Record<string, ChannelTest> = {};
  for (const name of Object.keys(channels)) {
    const { body } = await bridge.request('POST', `/api/v1/channels/${name}/test`);
    results[name] = body as ChannelTest;
  }
  return results;
}

test('with NODE_EXTRA_CA_CERTS mail goes out, encrypted from the start or by STARTTLS, to the name of the certificate', async () => {
  const implicit = await mailServer(['127.0.0.1'], true);
  const starttls = await mailServer(['127.0.0.1'], false);
  const named = await mailServer(['localhost'], false);
  const other = await mailServer(['mail.example.org', '192.0.2.7'], false);
  const reason =
    'The certificate of the mail server 127.0.0.1 is valid for mail.example.org, 192.0.2.7 only: configure such a name as host.';
  expect(
    await tryOut(
      {
        implicit: `host: 127.0.0.1, port: ${implicit.port}, tls: implicit`,
        starttls: `host: 127.0.0.1, port: ${starttls.port}`,
        named: `host: localhost, port: ${named.port}`,
        other: `host: 127.0.0.1, port: ${other.port}`,
      },
      true
    )
  ).toEqual({
    implicit: { delivered: true },
    starttls: { delivered: true },
    named: { delivered: true },
    other: { delivered: false, reason },
  });
  for (const { mails } of [implicit, starttls, named]) {
    expect(mails).toMatchObject([{ isEncrypted: true, user: 'bell:hunter2', to: ['a@example.org'] }]);
  }
  expect(other.mails).toEqual([]);
});

test('without it nothing is sent, and the reason names the setting', async () => {
  const mail = await mailServer(['127.0.0.1'], true);
  const results = await tryOut({ mail: `host: 127.0.0.1, port: ${mail.port}, tls: implicit` }, false);
  expect(results.mail).toEqual({ delivered: false, reason: expect.stringContaining('NODE_EXTRA_CA_CERTS') });
  expect(mail.mails).toEqual([]);
});
