/** Settings from the environment. Reports every error at once. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import semver from 'semver';
import type { DappnodeSettings } from './packages/dappnode/compat.ts';
import { isLoopback, readAddressRules } from './platform/http/addresses.ts';
import { AUTH_MODES, type AuthMode } from './platform/http/guard.ts';
import { type MonitorSettings, readMonitors, type ReadSetting } from './monitoring/monitors/settings.ts';
import { resolveAfterSchema } from '../contract/notification.ts';
import { readDatabaseUrl, readPublicUrl } from './configUrls.ts';
import { READ_STATES, type ReadState } from './inbox/readers/service.ts';

const BOOLEANS = ['true', 'false'] as const;
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export interface Config {
  host: string;
  /** 0: any free port. */
  port: number;
  dataDir: string;
  /** URL of a PostgreSQL database, with its password: never logged. Undefined: SQLite in the data folder. */
  databaseUrl?: string | undefined;
  /**
   * Allowed host names (the Host header), against DNS rebinding. Undefined: any.
   */
  allowedHosts: readonly string[] | undefined;
  auth: AuthMode;
  /** Undefined: generated and stored in the data directory. */
  adminToken: string | undefined;
  /** Valid as well while the configured token is rotated; undefined: none. */
  previousAdminToken?: string | undefined;
  /** Secret of Grafana's webhook signature; undefined: unsigned bodies are accepted. */
  webhookSecret: string | undefined;
  /** Key with which stored secrets are encrypted; undefined: kept in the data directory. */
  secretKey?: string | undefined;
  logLevel: (typeof LOG_LEVELS)[number];
  /** `/metrics` requires no token. */
  metricsOpen: boolean;
  /** Notifications per second and sender, on average, with bursts of ten seconds' worth. 0: no limit. */
  rateLimit: number;
  /** The folder of the provisioning files, and the variables for them. Undefined: nothing is provisioned. */
  provisioning?: { dir: string; env: Record<string, string | undefined> } | undefined;
  /** Version of the DAppNode; undefined: unknown. */
  nodeVersion: string | undefined;
  /** Allowed destinations beyond the public internet: hosts, suffixes such as `.dappnode`, and networks. */
  outboundAllow: readonly string[];
  /** Domain of the container names in the node's network; undefined: the bridge is in no such network. */
  nodeDomain: string | undefined;
  /** Default: each. */
  readState?: ReadState | undefined;
  /** After how long without news alerts of senders resolve that do not say so themselves, such as 7d. Default: never. */
  resolveAfter?: string | undefined;
  /** Address at which phones reach the bridge, without a slash at the end. Default: none. */
  publicUrl?: string | undefined;
  /** Requests through Grafana require a signed identity. Default: false. */
  requireGrafanaId?: boolean;
  /** Monitors that the bridge configures. */
  monitors?: MonitorSettings;
  /** Set: the bridge takes the place of DAppNode's notifier. */
  compat?: DappnodeSettings | undefined;
}

/** The host name by which DAppNode's manager calls its notifier. */
const NOTIFIER_HOST = 'notifier.notifications.dappnode';

/** Every error in the settings, one per line. */
export class ConfigError extends Error {
  constructor(mistakes: string[]) {
    super(
      `The settings have ${mistakes.length === 1 ? 'an error' : `${mistakes.length} errors`}:\n${mistakes.map((line) => `  ${line}`).join('\n')}`
    );
    this.name = 'ConfigError';
  }
}

/**
 * Reads the settings.
 * @param env the environment; each variable may also be given as `…_FILE`, a file that holds the value
 * @throws ConfigError with every error, what was found and what is allowed; secrets are not printed
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const mistakes: string[] = [];
  const { read, fitting, oneOf, whole } = settingReader(env, mistakes);
  const host = read('NODEBELL_HOST') ?? '127.0.0.1';
  const auth = oneOf('NODEBELL_AUTH', AUTH_MODES);
  validateAuth(auth, host, mistakes);
  const allowedHosts = listOf(read('NODEBELL_ALLOWED_HOSTS'));
  const provisioningDir = read('NODEBELL_PROVISIONING_DIR');
  const monitors = readMonitors(read, mistakes);
  const port = whole('NODEBELL_PORT', 8080, 65535);
  const compat = readCompat(read, oneOf('NODEBELL_COMPAT', ['dappnode']), auth, port, mistakes);
  const publicUrl = readPublicUrl(read, mistakes);
  const config: Config = {
    host,
    port,
    dataDir: resolve(read('NODEBELL_DATA_DIR') ?? './data'),
    databaseUrl: readDatabaseUrl(read, mistakes),
    allowedHosts: withOwnHosts(allowedHosts ?? (isLoopback(host) ? [] : undefined), compat, publicUrl),
    auth: auth ?? 'sender-open',
    adminToken: readSecretOf16('NODEBELL_ADMIN_TOKEN', read, mistakes),
    previousAdminToken: readSecretOf16('NODEBELL_ADMIN_TOKEN_PREVIOUS', read, mistakes),
    webhookSecret: read('NODEBELL_WEBHOOK_SECRET'),
    secretKey: readSecretOf16('NODEBELL_SECRET_KEY', read, mistakes),
    logLevel: oneOf('NODEBELL_LOG_LEVEL', LOG_LEVELS) ?? 'info',
    metricsOpen: oneOf('NODEBELL_METRICS_OPEN', BOOLEANS) === 'true',
    rateLimit: whole('NODEBELL_RATE_LIMIT', 100, 1_000_000),
    readState: oneOf('NODEBELL_READ_STATE', READ_STATES) ?? 'each',
    resolveAfter: readResolveAfter(read, mistakes),
    publicUrl,
    nodeVersion: fitting('NODEBELL_NODE_VERSION', (value) => semver.valid(value) !== null, 'a version such as 0.3.1'),
    outboundAllow: readOutboundAllow(read, mistakes),
    nodeDomain: readNodeDomain(fitting),
    requireGrafanaId: readRequireGrafanaId(oneOf('NODEBELL_REQUIRE_GRAFANA_ID', BOOLEANS), monitors, mistakes),
    monitors,
    compat,
    provisioning: provisioningDir === undefined ? undefined : { dir: resolve(provisioningDir), env },
  };
  if (config.databaseUrl !== undefined && config.adminToken === undefined && config.auth !== 'none') {
    mistakes.push(
      'NODEBELL_DATABASE_URL: needs NODEBELL_ADMIN_TOKEN as well: a generated one would be another at each replica'
    );
  }
  if (mistakes.length > 0) {
    throw new ConfigError(mistakes);
  }
  return config;
}

/** @param mistakes receives all errors */
function settingReader(env: Record<string, string | undefined>, mistakes: string[]) {
  const read: ReadSetting = (name) => readVariable(env, name, mistakes);
  /** A setting that fits; another is a mistake, which says what is allowed. */
  const fitting = (name: string, fits: (value: string) => boolean, allowed: string): string | undefined => {
    const value = read(name);
    if (value === undefined || fits(value)) {
      return value;
    }
    mistakes.push(`${name}: found ${JSON.stringify(value)}, allowed is ${allowed}`);
    return undefined;
  };
  const oneOf = <T extends string>(name: string, allowed: readonly T[]) =>
    fitting(name, (value) => allowed.includes(value as T), `one of ${allowed.join(', ')}`) as T | undefined;
  const whole = (name: string, fallback: number, max: number) =>
    Number(
      fitting(name, (value) => /^\d{1,9}$/.test(value) && Number(value) <= max, `a whole number from 0 to ${max}`) ??
        fallback
    );
  return { read, fitting, oneOf, whole };
}

function readSecretOf16(
  name: 'NODEBELL_ADMIN_TOKEN' | 'NODEBELL_ADMIN_TOKEN_PREVIOUS' | 'NODEBELL_SECRET_KEY',
  read: ReadSetting,
  mistakes: string[]
): string | undefined {
  const token = read(name);
  if (token !== undefined && token.length < 16) {
    mistakes.push(
      `${name}: shorter than 16 characters${name === 'NODEBELL_ADMIN_TOKEN_PREVIOUS' ? '' : '; leave it unset and one is made'}`
    );
  }
  return token;
}

function validateAuth(auth: AuthMode | undefined, host: string, mistakes: string[]): void {
  if (auth === undefined && !isLoopback(host) && mistakes.length === 0) {
    mistakes.push(
      `NODEBELL_AUTH: not set, but NODEBELL_HOST is ${JSON.stringify(host)}, which others can reach; set it to one of ${AUTH_MODES.join(', ')}`
    );
  }
}

function readRequireGrafanaId(value: string | undefined, monitors: MonitorSettings, mistakes: string[]): boolean {
  if (value === 'true' && monitors.grafana === undefined) {
    mistakes.push(
      'NODEBELL_REQUIRE_GRAFANA_ID: set without NODEBELL_GRAFANA_URL, where the keys are; set both or none'
    );
  }
  return value === 'true';
}

/** With the names by which DAppNode's manager and phones reach the bridge. */
function withOwnHosts(
  names: string[] | undefined,
  compat: DappnodeSettings | undefined,
  publicUrl: string | undefined
): string[] | undefined {
  return (
    names && [
      ...names,
      ...(compat ? [NOTIFIER_HOST] : []),
      ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
    ]
  );
}

/** The ports of DAppNode's notifier are 8080, 8081 and 8082: the two after the bridge's own. */
function readCompat(
  read: ReadSetting,
  compat: 'dappnode' | undefined,
  auth: AuthMode | undefined,
  port: number,
  mistakes: string[]
): DappnodeSettings | undefined {
  const managerUrl = read('NODEBELL_DAPPMANAGER_URL') ?? 'http://dappmanager.dappnode';
  if (!/^https?:\/\/[^/@?#]+\/?$/.test(managerUrl) || !URL.canParse(managerUrl)) {
    mistakes.push('NODEBELL_DAPPMANAGER_URL: allowed is a base URL such as http://dappmanager.dappnode');
  }
  if (compat === undefined) {
    return undefined;
  }
  if (auth === 'token') {
    mistakes.push(
      "NODEBELL_COMPAT: dappnode needs NODEBELL_AUTH sender-open or none, found token: DAppNode's manager sends no token"
    );
  }
  if (port > 65533) {
    mistakes.push(
      `NODEBELL_PORT: found ${port}, allowed with NODEBELL_COMPAT is 0 to 65533: the next two ports are used`
    );
  }
  return {
    managerUrl: managerUrl.replace(/\/$/, ''),
    devicesPort: port === 0 ? 0 : port + 1,
    reloadPort: port === 0 ? 0 : port + 2,
  };
}

function readResolveAfter(read: ReadSetting, mistakes: string[]): string | undefined {
  const value = read('NODEBELL_RESOLVE_AFTER');
  const parsed = resolveAfterSchema.optional().safeParse(value);
  if (!parsed.success) {
    mistakes.push(
      `NODEBELL_RESOLVE_AFTER: found ${JSON.stringify(value)}, allowed is ${parsed.error.issues[0]!.message}`
    );
  }
  return parsed.data;
}

/** Value for no domain. */
const NO_DOMAIN = 'none';

function readNodeDomain(fitting: ReturnType<typeof settingReader>['fitting']): string | undefined {
  const domain = fitting(
    'NODEBELL_NODE_DOMAIN',
    (value) => /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(value) && isIP(value) === 0,
    'what names of containers end in, such as dappnode, or none'
  );
  return domain?.toLowerCase() === NO_DOMAIN ? undefined : (domain ?? 'dappnode').toLowerCase();
}

function readOutboundAllow(read: ReadSetting, mistakes: string[]): string[] {
  const rules = listOf(read('NODEBELL_OUTBOUND_ALLOW')) ?? [];
  try {
    readAddressRules(rules);
  } catch (error) {
    mistakes.push(`NODEBELL_OUTBOUND_ALLOW: ${(error as Error).message}`);
  }
  return rules;
}

/** Comma-separated names, in lower case. */
function listOf(value: string | undefined): string[] | undefined {
  return value
    ?.split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
}

function readVariable(env: Record<string, string | undefined>, name: string, mistakes: string[]): string | undefined {
  const direct = env[name];
  const file = env[`${name}_FILE`];
  if (direct && file) {
    mistakes.push(`${name}: set twice, as ${name} and as ${name}_FILE; keep one`);
    return undefined;
  }
  if (!file) {
    return direct || undefined;
  }
  try {
    const value = readFileSync(file, 'utf8').trim();
    if (value === '') {
      mistakes.push(`${name}_FILE: ${file} is empty`);
    }
    return value || undefined;
  } catch (error) {
    mistakes.push(`${name}_FILE: ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
    return undefined;
  }
}
