/** Channels over HTTPS: why a test is not delivered, against servers with certificates of a private authority. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener, type Server as HttpServer } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ChannelList, ChannelTest } from '../../backend-bridge/contract/channel.ts';
import { type Authority, createAuthority } from '../../backend-bridge/src/delivery/channels/certificates.testing.ts';
import { BridgeProcess } from './badInputProcess.testing.ts';

let authority: Authority;
beforeAll(() => {
  authority = createAuthority();
});

const received: string[] = [];
const accept: RequestListener = (request, response) => {
  if (request.url !== '/api/v1/heartbeat') {
    received.push(request.url!);
  }
  request.resume().on('end', () => response.end(request.url === '/api/v1/notifications/batch' ? BATCH : '{}'));
};
const BATCH = JSON.stringify({ bridge: '00000000000b', accepted: 1, duplicates: 0, returned: [], rejected: [] });

async function listen(server: HttpServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** @param hosts for which its certificate is valid @param days from when until when */
const startTls = (hosts: string[], days?: readonly [number, number], options?: ServerOptions): Promise<number> =>
  listen(createServer({ ...authority.issue(hosts, days), ...options }, accept));

const typeOf = (name: string): string => /^(ntfy|nodebell)/.exec(name)?.[1] ?? 'webhook';
const MEMBERS: Record<string, string> = {
  webhook: 'secret: $SECRET',
  ntfy: 'topic: alerts, token: $SECRET',
  nodebell: 'token: $SECRET, node: attic',
};

/** @param ports by the name of a channel, which begins with its type: webhook if it names none */
async function startBridge(ports: Record<string, number>, isTrusted: boolean): Promise<BridgeProcess> {
  const dir = mkdtempSync(path.join(tmpdir(), 'nodebell-tls-'));
  writeFileSync(path.join(dir, 'ca.pem'), authority.cert);
  const lines = Object.entries(ports).map(
    ([name, port]) =>
      `  - { name: ${name}, type: ${typeOf(name)}, url: 'https://127.0.0.1:${port}', ${MEMBERS[typeOf(name)]} }`
  );
  const routes = `routes:\n  - { channels: [${Object.keys(ports).join(', ')}] }\n`;
  writeFileSync(path.join(dir, 'tls.yaml'), `apiVersion: 1\nchannels:\n${lines.join('\n')}\n${routes}`);
  const bridge = await BridgeProcess.start(path.join(dir, 'data'), {
    NODEBELL_PROVISIONING_DIR: dir,
    SECRET: 'hunter2-of-the-channels',
    ...(isTrusted && { NODE_EXTRA_CA_CERTS: path.join(dir, 'ca.pem') }),
  });
  onTestFinished(async () => {
    await bridge.stop();
    rmSync(dir, { recursive: true });
  });
  return bridge;
}

/** Sends a test over each channel. @returns why it was not delivered; true: it was */
async function tryOut(ports: Record<string, number>, isTrusted: boolean): Promise<Record<string, string | true>> {
  const bridge = await startBridge(ports, isTrusted);
  const results: Record<string, string | true> = {};
  for (const name of Object.keys(ports)) {
    const { delivered, reason } = (await bridge.request('POST', `/api/v1/channels/${name}/test`)).body as ChannelTest;
    results[name] = delivered || reason!;
  }
  return results;
}

test('each kind says what is wrong with the certificate or the protocol', async () => {
  const good = await startTls(['127.0.0.1']);
  const expired = await startTls(['127.0.0.1'], [-2, -1]);
  const early = await startTls(['127.0.0.1'], [1, 2]);
  const other = await startTls(['hooks.example.org', '192.0.2.7']);
  const plain = await listen(createHttpServer(accept));
  const old = await startTls(['127.0.0.1'], undefined, {
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  });
  const of = (name: string, port: number): string => `127.0.0.1:${port} (for the channel ${name})`;
  const names = 'hooks.example.org, 192.0.2.7 only: configure such a name in its address.';
  received.length = 0;
  expect(
    await tryOut(
      {
        ...{ webhook: good, ntfy: good, nodebell: good },
        ...{ expired, ntfyExpired: expired, nodebellExpired: expired, early },
        ...{ other, ntfyOther: other, nodebellOther: other, plain, old },
      },
      true
    )
  ).toEqual({
    ...{ webhook: true, ntfy: true, nodebell: true },
    expired: `The certificate of ${of('expired', expired)} has expired.`,
    ntfyExpired: `The certificate of ${of('ntfyExpired', expired)} has expired.`,
    nodebellExpired: `The certificate of ${of('nodebellExpired', expired)} has expired.`,
    early: `The certificate of ${of('early', early)} is not valid yet.`,
    other: `The certificate of ${of('other', other)} is valid for ${names}`,
    ntfyOther: `The certificate of ${of('ntfyOther', other)} is valid for ${names}`,
    nodebellOther: `The certificate of ${of('nodebellOther', other)} is valid for ${names}`,
    plain: `No TLS connection to ${of('plain', plain)}: it does not respond with TLS on this port.`,
    old: `No TLS connection to ${of('old', old)}: it has no version of TLS in common with the bridge (1.2 or 1.3).`,
  });
  expect(received).toEqual(['/', '/', '/api/v1/notifications/batch']);
});

test('without its authority the reason names the setting, also in the health of the channel', async () => {
  const port = await startTls(['127.0.0.1']);
  const ports = { webhook: port, ntfy: port, nodebell: port };
  const bridge = await startBridge(ports, false);
  const reasonOf = (name: string): string =>
    `The certificate of 127.0.0.1:${port} (for the channel ${name}) is not trusted: unable to verify the first certificate. If its authority is a private one, start the bridge with NODE_EXTRA_CA_CERTS, the file of the authority's certificate.`;
  const channels = Object.keys(ports);
  await bridge.request('POST', '/api/v1/notifications', JSON.stringify({ title: 'T', body: 'B' }));
  await expect
    .poll(async () => {
      const list = (await bridge.request('GET', '/api/v1/channels')).body as ChannelList;
      return list.channels.map(({ name, state, lastFailure }) => ({ name, state, lastFailure }));
    })
    .toEqual(channels.sort().map((name) => ({ name, state: 'failing', lastFailure: reasonOf(name) })));
});
