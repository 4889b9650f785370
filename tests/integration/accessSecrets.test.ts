import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testAddress } from '../../backend-bridge/src/platform/storage/address.testing.ts';
import { openDatabase } from '../../backend-bridge/src/platform/database.ts';
import { hashToken } from '../../backend-bridge/src/platform/access/token.ts';
import { ADMIN_TOKEN, ask, startTestBridge } from './accessBridge.testing.ts';
import { PAYLOAD, ROUTES } from './accessRoutes.testing.ts';

describe('secrets', () => {
  let log: string;
  let files: Buffer;
  const secrets: Record<string, string> = { 'the admin token': ADMIN_TOKEN };

  beforeAll(async () => {
    const bridge = await startTestBridge(
      { NODEBELL_AUTH: 'token', NODEBELL_WEBHOOK_SECRET: 'the-webhook-secret' },
      undefined,
      afterAll
    );
    const { url } = bridge;
    const { body: created } = await ask(url, 'POST', '/api/v1/tokens', {
      token: ADMIN_TOKEN,
      body: { name: 'x', packages: ['a'] },
    });
    secrets['the sender token'] = created.token;
    secrets['a wrong token'] = 'nbs_this-token-is-wrong-0123456789';
    secrets['a wrong admin token'] = 'this-is-not-the-admin-token';
    secrets['the webhook secret'] = 'the-webhook-secret';
    secrets['basic credentials'] = 'dXNlcjpwYXNzd29yZA==';
    for (const token of Object.values(secrets)) {
      for (const [method, route, , body] of ROUTES) {
        await ask(url, method, route, { token, body });
        await ask(url, method, route, { body, headers: { authorization: `Basic ${token}` } });
        await ask(url, method, `${route}${route.includes('?') ? '&' : '?'}token=${token}`, {
          token: ADMIN_TOKEN,
          body,
        });
      }
      await ask(url, 'GET', `/nothing?q=${token}`, { token });
      if (token.startsWith('nbs_')) {
        // In a path, a token is recognized by its format.
        await ask(url, 'GET', `/api/v1/notifications/${token}`, { token: ADMIN_TOKEN });
        await ask(url, 'GET', `/${token}`, { token });
        await ask(url, 'DELETE', `/api/v1/tokens/${token}`, { token: ADMIN_TOKEN });
      }
      await ask(url, 'POST', '/api/v1/notifications', { token: ADMIN_TOKEN, body: { ...PAYLOAD, priority: token } });
      await ask(url, 'POST', '/api/v1/webhooks/grafana', {
        token: ADMIN_TOKEN,
        body: {},
        headers: { 'x-grafana-alerting-signature': token },
      });
    }
    const port = Number(new URL(url).port);
    for (const text of [
      `${ADMIN_TOKEN}\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${ADMIN_TOKEN}\u0000\r\n\r\n`,
    ]) {
      await new Promise((resolve) =>
        connect(port, '127.0.0.1')
          .on('error', () => undefined)
          .on('close', resolve)
          .resume()
          .end(text)
      );
    }
    await ask(url, 'DELETE', `/api/v1/tokens/${created.id}`, { token: ADMIN_TOKEN });
    await bridge.close();
    log = bridge.log();
    // Stored data: the files of the folder, and on a server the rows that could hold a token.
    const db = openDatabase(await testAddress(bridge.dataDir), { readonly: true });
    const rows = [
      await db.selectFrom('sender_tokens').selectAll().execute(),
      await db.selectFrom('audit').selectAll().execute(),
    ];
    await db.destroy();
    files = Buffer.concat([
      ...readdirSync(bridge.dataDir).map((name) => readFileSync(path.join(bridge.dataDir, name))),
      Buffer.from(JSON.stringify(rows)),
    ]);
  });

  test('the log is not empty', () => {
    expect(log.split('\n').length).toBeGreaterThan(200);
    expect(log).toContain('"status":403');
  });

  test.each(['the admin token', 'the sender token', 'a wrong token', 'the webhook secret', 'basic credentials'])(
    '%s is not in the log, nor its hash',
    (name) => {
      const secret = secrets[name] ?? '';
      expect(secret.length).toBeGreaterThan(10);
      expect(log).not.toContain(secret);
      expect(log).not.toContain(hashToken(secret));
    }
  );

  test('no header is in the log', () => {
    expect(log).not.toMatch(/authorization"|"headers"|bearer [^[<]/i);
  });

  test('sender tokens are stored as hashes', () => {
    expect(files.includes(hashToken(secrets['the sender token'] ?? ''))).toBe(true);
    expect(files.includes(secrets['the sender token'] ?? '')).toBe(false);
    expect(files.includes(ADMIN_TOKEN)).toBe(false);
  });
});
