import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from './folder.testing.ts';
import { ConfigError, readConfig } from './config.ts';
import { isLoopback } from './platform/http/addresses.ts';

const dir = temporaryFolder(afterAll);

function mistakesOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('the settings were taken');
}

test('without settings: loopback, senders open, only loopback names', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 8080,
    dataDir: resolve('data'),
    allowedHosts: [],
    auth: 'sender-open',
    adminToken: undefined,
    webhookSecret: undefined,
    logLevel: 'info',
    metricsOpen: false,
    rateLimit: 100,
    readState: 'each',
    nodeVersion: undefined,
    outboundAllow: [],
    nodeDomain: 'dappnode',
    requireGrafanaId: false,
    monitors: {},
  });
});

test('every error is reported at once, with what was found and what is allowed', () => {
  const message = mistakesOf({
    NODEBELL_PORT: '80a',
    NODEBELL_LOG_LEVEL: 'loud',
    NODEBELL_RATE_LIMIT: '-1',
    NODEBELL_READ_STATE: 'mine',
    NODEBELL_RESOLVE_AFTER: 'soon',
    NODEBELL_AUTH: 'open',
  });
  expect(message.split('\n')).toEqual([
    'The settings have 6 errors:',
    '  NODEBELL_AUTH: found "open", allowed is one of sender-open, token, none',
    '  NODEBELL_PORT: found "80a", allowed is a whole number from 0 to 65535',
    '  NODEBELL_LOG_LEVEL: found "loud", allowed is one of debug, info, warn, error, silent',
    '  NODEBELL_RATE_LIMIT: found "-1", allowed is a whole number from 0 to 1000000',
    '  NODEBELL_READ_STATE: found "mine", allowed is one of each, shared',
    '  NODEBELL_RESOLVE_AFTER: found "soon", allowed is a duration such as 30m or 2d',
  ]);
});

test.each(['0.0.0.0', '::', '192.168.1.2', 'node.lan'])(
  'on %s it does not start until somebody says who needs a token',
  (host) => {
    expect(mistakesOf({ NODEBELL_HOST: host })).toContain('NODEBELL_AUTH: not set');
    expect(readConfig({ NODEBELL_HOST: host, NODEBELL_AUTH: 'token' })).toMatchObject({
      host,
      auth: 'token',
      allowedHosts: undefined,
    });
  }
);

describe('a setting from a file', () => {
  const file = (content: string): string => {
    const path = join(dir, 'secret');
    writeFileSync(path, content);
    return path;
  };

  test('is read without the line end', () => {
    expect(readConfig({ NODEBELL_ADMIN_TOKEN_FILE: file('0123456789abcdef\n') }).adminToken).toBe('0123456789abcdef');
  });
  test('must not be given twice', () => {
    const message = mistakesOf({
      NODEBELL_ADMIN_TOKEN_FILE: file('0123456789abcdef'),
      NODEBELL_ADMIN_TOKEN: 'fedcba9876543210',
    });
    expect(message).toContain('NODEBELL_ADMIN_TOKEN: set twice');
  });
  test('must hold something', () => {
    expect(mistakesOf({ NODEBELL_WEBHOOK_SECRET_FILE: file(' \n') })).toContain('is empty');
  });
  test('must be there', () => {
    expect(mistakesOf({ NODEBELL_WEBHOOK_SECRET_FILE: join(dir, 'absent') })).toContain('cannot be read (ENOENT)');
  });
});

test('a secret is not printed with its mistake', () => {
  const message = mistakesOf({ NODEBELL_ADMIN_TOKEN: 'hunter2' });
  expect(message).toContain('NODEBELL_ADMIN_TOKEN: shorter than 16 characters');
  expect(message).not.toContain('hunter2');
});

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['LocalHost', true],
  ['[::1]', true],
  ['127.0.0.1.example', false],
  ['10.0.0.1', false],
  ['::', false],
])('%s is loopback: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

test('the folder of provisioned files is made absolute, and variables in them are looked up in the same environment', () => {
  const env = { NODEBELL_PROVISIONING_DIR: 'provisioning/nodebell', SOME_TOKEN: 'x' };
  expect(readConfig(env).provisioning).toEqual({ dir: resolve('provisioning/nodebell'), env });
  expect(readConfig({ NODEBELL_PROVISIONING_DIR: '' }).provisioning).toBeUndefined();
});

test('what the bridge may connect to, and the version of the node', () => {
  expect(
    readConfig({ NODEBELL_OUTBOUND_ALLOW: ' node.lan, .Dappnode,172.33.0.0/16', NODEBELL_NODE_VERSION: '0.3.1' })
  ).toMatchObject({ outboundAllow: ['node.lan', '.dappnode', '172.33.0.0/16'], nodeVersion: '0.3.1' });
  expect(mistakesOf({ NODEBELL_OUTBOUND_ALLOW: 'http://node.lan', NODEBELL_NODE_VERSION: 'new' }).split('\n')).toEqual([
    'The settings have 2 errors:',
    '  NODEBELL_NODE_VERSION: found "new", allowed is a version such as 0.3.1',
    '  NODEBELL_OUTBOUND_ALLOW: "http://node.lan" is no rule: write a host, a suffix such as .dappnode, or a network such as 172.33.0.0/16',
  ]);
});

test('knows what names of containers end in, and that there may be none', () => {
  expect(readConfig({ NODEBELL_NODE_DOMAIN: 'Node.Lan' }).nodeDomain).toBe('node.lan');
  expect(readConfig({ NODEBELL_NODE_DOMAIN: 'none' }).nodeDomain).toBeUndefined();
  for (const bad of ['.dappnode', 'a b', 'http://x', '10.0.0.1']) {
    expect(mistakesOf({ NODEBELL_NODE_DOMAIN: bad })).toContain('NODEBELL_NODE_DOMAIN: found');
  }
});

describe('compatibility with DAppNode', () => {
  const compatOf = (env: Record<string, string>) => readConfig({ NODEBELL_COMPAT: 'dappnode', ...env }).compat;
  test('uses the two ports after the own one', () => {
    expect(readConfig({}).compat).toBeUndefined();
    const managerUrl = 'http://dappmanager.dappnode';
    expect(compatOf({})).toEqual({ managerUrl, devicesPort: 8081, reloadPort: 8082 });
    expect(compatOf({ NODEBELL_PORT: '0' })).toEqual({ managerUrl, devicesPort: 0, reloadPort: 0 });
    expect(compatOf({ NODEBELL_DAPPMANAGER_URL: 'http://127.0.0.1:81/' })?.managerUrl).toBe('http://127.0.0.1:81');
    const { allowedHosts } = readConfig({ NODEBELL_COMPAT: 'dappnode', NODEBELL_ALLOWED_HOSTS: 'node.lan' });
    expect(allowedHosts).toEqual(['node.lan', 'notifier.notifications.dappnode']);
  });
  test.each([
    [{ NODEBELL_COMPAT: 'other' }, 'NODEBELL_COMPAT: found "other", allowed is one of dappnode'],
    [{ NODEBELL_AUTH: 'token' }, 'NODEBELL_COMPAT: dappnode needs NODEBELL_AUTH sender-open or none, found token'],
    [{ NODEBELL_PORT: '65534' }, 'NODEBELL_PORT: found 65534, allowed with NODEBELL_COMPAT is 0 to 65533'],
    [{ NODEBELL_DAPPMANAGER_URL: 'dappmanager' }, 'NODEBELL_DAPPMANAGER_URL: allowed is a base URL such as'],
    [{ NODEBELL_DAPPMANAGER_URL: 'http://x?y' }, 'NODEBELL_DAPPMANAGER_URL: allowed is a base URL such as'],
    [{ NODEBELL_DAPPMANAGER_URL: 'http://user:word@x' }, 'NODEBELL_DAPPMANAGER_URL: allowed is a base URL such as'],
  ])('refuses %j', (env, message) => {
    expect(mistakesOf({ NODEBELL_COMPAT: 'dappnode', ...env })).toContain(message);
  });
});

describe('monitors', () => {
  test('are set up by what is set', () => {
    expect(
      readConfig({
        NODEBELL_GATUS_CONFIG: 'gatus/nodebell.yaml',
        NODEBELL_GATUS_URL: 'http://127.0.0.1:8081/',
        NODEBELL_GRAFANA_URL: 'http://127.0.0.1:3000/grafana/',
        NODEBELL_GRAFANA_TOKEN: 'glsa_x',
        NODEBELL_GRAFANA_DATASOURCE: 'prom',
        NODEBELL_PROMETHEUS_URL: 'http://127.0.0.1:9090',
        NODEBELL_PROMETHEUS_TOKEN: 'of prometheus',
        NODEBELL_PROMETHEUS_RULES: 'rules.yaml',
        NODEBELL_BRIDGE_URL: 'http://bridge:8080',
        NODEBELL_MONITOR_TOKEN: 'of a sender',
      }).monitors
    ).toEqual({
      gatusConfig: resolve('gatus/nodebell.yaml'),
      gatusUrl: 'http://127.0.0.1:8081',
      grafana: { url: 'http://127.0.0.1:3000/grafana', token: 'glsa_x', datasource: 'prom' },
      prometheusUrl: 'http://127.0.0.1:9090',
      prometheusToken: 'of prometheus',
      prometheusRules: resolve('rules.yaml'),
      bridgeUrl: 'http://bridge:8080',
      token: 'of a sender',
    });
  });

  test('what alerts on nodes: its requirements are configured, or reported as missing', () => {
    const grafana = {
      NODEBELL_GRAFANA_URL: 'http://127.0.0.1:3000',
      NODEBELL_GRAFANA_TOKEN: 'glsa_x',
      NODEBELL_GRAFANA_DATASOURCE: 'prom',
    };
    expect(readConfig({ ...grafana, NODEBELL_CHAIN_ALERTS: 'grafana' }).monitors?.chainAlerts).toBe('grafana');
    expect(readConfig({ ...grafana, NODEBELL_CHAIN_ALERTS: 'bridge' }).monitors?.chainAlerts).toBeUndefined();
    const rules = {
      NODEBELL_PROMETHEUS_RULES: 'rules.yaml',
      NODEBELL_PROMETHEUS_URL: 'http://127.0.0.1:9090',
      NODEBELL_CHAIN_ALERTS: 'prometheus',
    };
    expect(readConfig(rules).monitors?.chainAlerts).toBe('prometheus');
    expect(mistakesOf({ NODEBELL_CHAIN_ALERTS: 'both' })).toContain(
      'NODEBELL_CHAIN_ALERTS: found "both", allowed is one of bridge, grafana, prometheus'
    );
    expect(mistakesOf({ NODEBELL_CHAIN_ALERTS: 'grafana', NODEBELL_GRAFANA_URL: 'http://127.0.0.1:3000' })).toContain(
      'NODEBELL_CHAIN_ALERTS: grafana needs NODEBELL_GRAFANA_TOKEN, NODEBELL_GRAFANA_DATASOURCE as well'
    );
    expect(mistakesOf({ NODEBELL_CHAIN_ALERTS: 'prometheus', NODEBELL_PROMETHEUS_RULES: 'rules.yaml' })).toContain(
      'prometheus needs NODEBELL_PROMETHEUS_URL as well'
    );
  });

  test('what cannot be is refused', () => {
    expect(mistakesOf({ NODEBELL_PROMETHEUS_URL: 'prometheus:9090' })).toContain(
      'NODEBELL_PROMETHEUS_URL: found "prometheus:9090", allowed is a URL such as http://127.0.0.1:3000'
    );
    const withPassword = mistakesOf({ NODEBELL_PROMETHEUS_URL: 'http://ada:secret@prometheus:9090' });
    expect(withPassword).toContain('NODEBELL_PROMETHEUS_URL: contains a user name or a password');
    expect(withPassword).not.toContain('secret');
    for (const url of ['ada:secret@grafana:3000', 'http://ada:sec/secret@grafana', 'http://ada:secret@']) {
      expect(mistakesOf({ NODEBELL_GRAFANA_URL: url })).toMatch(/^(?!.*secret).*GRAFANA_URL: contains a user name/s);
    }
    for (const url of ['http://grafana:port', 'http://graf ana', 'http://[::1']) {
      expect(mistakesOf({ NODEBELL_BRIDGE_URL: url })).toContain(`found "${url}", allowed is a URL such as`);
    }
    expect(mistakesOf({ NODEBELL_PROMETHEUS_TOKEN: 'x' })).toContain('set without NODEBELL_PROMETHEUS_URL');
    expect(mistakesOf({ NODEBELL_GRAFANA_TOKEN: 'glsa_x' })).toContain('set without NODEBELL_GRAFANA_URL');
    expect(mistakesOf({ NODEBELL_REQUIRE_GRAFANA_ID: 'true' })).toContain('set without NODEBELL_GRAFANA_URL');
  });
});

test('PostgreSQL needs an admin token that all replicas share, and its URL is not shown', () => {
  const url = 'postgres://nodebell:secret@db.example/nodebell';
  expect(mistakesOf({ NODEBELL_DATABASE_URL: url })).toContain('needs NODEBELL_ADMIN_TOKEN as well');
  expect(mistakesOf({ NODEBELL_DATABASE_URL: url })).not.toContain('secret');
  const shared = { NODEBELL_DATABASE_URL: url, NODEBELL_ADMIN_TOKEN: 'the-same-at-each-replica' };
  expect(readConfig(shared).databaseUrl).toBe(url);
  expect(readConfig({ NODEBELL_DATABASE_URL: url, NODEBELL_AUTH: 'none' }).databaseUrl).toBe(url);
});

describe('the database', () => {
  const url = 'postgres://user:very-secret@db.example:5432/nodebell?sslmode=verify-full';
  const ADMIN = { NODEBELL_ADMIN_TOKEN: 'a-long-admin-token-for-tests' };

  test('is the URL of a PostgreSQL database, also from a file', () => {
    const file = join(dir, 'database-url');
    writeFileSync(file, `${url}\n`);
    expect(readConfig({ ...ADMIN, NODEBELL_DATABASE_URL: url }).databaseUrl).toBe(url);
    expect(readConfig({ ...ADMIN, NODEBELL_DATABASE_URL_FILE: file }).databaseUrl).toBe(url);
    expect(readConfig({}).databaseUrl).toBeUndefined();
  });

  test.each(['mysql://user:very-secret@host/db', 'postgres://user:very-secret@host', 'very-secret'])(
    'is not %s, and the value is not shown',
    (value) => {
      const message = mistakesOf({ ...ADMIN, NODEBELL_DATABASE_URL: value });
      expect(message).toContain('allowed is postgres://user:password@host:5432/database');
      expect(message).not.toContain('very-secret');
    }
  );
});
