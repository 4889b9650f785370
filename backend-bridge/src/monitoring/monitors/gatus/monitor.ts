/**
 * Gatus as a monitor: the configuration file that it reads (TwiN/gatus 5.x, README "Configuration"). Gatus rejects the whole file for one
 * invalid endpoint, so those are left out and reported.
 */
import { GATUS_BODY, gatusBody } from '../../../../contract/gatusWebhook.ts';
import type { EndpointAlert, EndpointDefinition } from '../../../validation/notifications/validateNotifications.ts';
import { describeAlert, isGoUrl, secondsOf, unsupportedTimes } from '../definition.ts';
import type { Monitor, MonitoredEndpoint, Support } from '../monitor.ts';
import { keptTexts, putFile, WRITTEN_BY, yamlText } from '../writtenFile.ts';

export interface GatusTarget {
  /** The file, absolute. Gatus reloads it within 30 seconds of a change. */
  path: string;
  /** The bridge's `/api/v1/webhooks/gatus`, as Gatus reaches it. */
  webhookUrl: () => string;
  /** A sender token, if senders need one. */
  token?: string | undefined;
}

export function gatusMonitor({ path, webhookUrl, token }: GatusTarget): Monitor {
  return {
    name: 'gatus',
    support: gatusSupport,
    async sync(endpoints) {
      // A file with a token must not be readable by everyone.
      await putFile(
        path,
        gatusConfig(endpoints, { webhookUrl: webhookUrl(), token }),
        token === undefined ? 0o644 : 0o640
      );
      return { readOnly: new Map(), rejected: new Map(), active: new Set() };
    },
  };
}

export function gatusSupport({ shipped, condition }: MonitoredEndpoint): Support {
  const { definition } = shipped;
  if (definition === undefined) {
    return { kind: 'none' };
  }
  const reason = unsupported(definition);
  if (reason !== undefined) {
    return { kind: 'read-only', reason: `It is not in the configuration of Gatus: ${reason}` };
  }
  const note = condition?.cautions[0];
  return note === undefined ? { kind: 'supported' } : { kind: 'supported', note };
}

/** Why Gatus would not start with it (config/endpoint/endpoint.go, condition.go). */
function unsupported(definition: EndpointDefinition): string | undefined {
  const { url, method, conditions, extra, interval } = definition;
  if (url === undefined || url === '') {
    return 'it has no URL.';
  }
  if (!/^(https?|tcp|udp|sctp|icmp|starttls|tls|wss?):\/\//.test(url) || !isGoUrl(url)) {
    return `its URL (${url.slice(0, 80)}) is not supported.`;
  }
  if (!METHODS.includes(method)) {
    return `its method (${method.slice(0, 40)}) is not one of ${METHODS.join(', ')}.`;
  }
  if (conditions.length === 0) {
    return 'it has no condition.';
  }
  const unspaced = conditions.find((text) => !/ (==|!=|<=|>=|>|<) /.test(text));
  if (unspaced !== undefined) {
    return `its condition ${unspaced.slice(0, 80)} has no space on each side of the operator.`;
  }
  if (conditions.some((text) => text.includes('[DOMAIN_EXPIRATION]')) && secondsOf(interval) < 300) {
    return 'its interval is shorter than 5 minutes, the minimum for [DOMAIN_EXPIRATION].';
  }
  return extra['dns'] !== undefined || extra['ssh'] !== undefined
    ? 'dns and ssh are not supported; add such an endpoint to a file of your own in the same folder.'
    : unsupportedTimes(definition);
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * The content of the file: all endpoints that are on, in the order of packages and their files.
 * @param endpoints supported ({@link gatusSupport})
 */
export function gatusConfig(
  endpoints: readonly MonitoredEndpoint[],
  { webhookUrl, token }: { webhookUrl: string; token?: string | undefined }
): string {
  const headers = {
    'Content-Type': 'application/json',
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
  const names = createNames();
  const on = endpoints.filter((one) => one.on);
  const alerting = { custom: { url: webhookUrl, method: 'POST', headers, body: GATUS_BODY } };
  const listed = on.length === 0 ? [NOTHING] : on.map((one) => endpointOf(one, names));
  return `${HEAD}\n${yamlOf({ alerting })}endpoints:\n${textsOf(listed)}`;
}

/** Gatus replaces $NAME with environment variables; $$ is a dollar sign (config/config.go). */
const yamlOf = (value: unknown): string => yamlText(value).replaceAll('$', '$$$$');

const textsOf = keptTexts((endpoint: object) => yamlOf([endpoint]));

const HEAD = `${WRITTEN_BY} from the endpoints of its packages. Changes to this file are overwritten; use Nodebell.
# Gatus merges all files of the folder that GATUS_CONFIG_PATH names: put your own endpoints into another file.`;

/** Gatus rejects a file without endpoints. */
const NOTHING = {
  name: 'No endpoint is enabled in Nodebell',
  enabled: false,
  url: 'http://127.0.0.1',
  conditions: ['[STATUS] < 500'],
};

/** Members of Gatus that DAppNode's schema does not have; only those that it cannot reject. */
function extraOf({ extra }: EndpointDefinition): object {
  const client = (typeof extra['client'] === 'object' && extra['client'] !== null ? extra['client'] : {}) as Record<
    string,
    unknown
  >;
  const flags = ['insecure', 'ignore-redirect'].filter((key) => typeof client[key] === 'boolean');
  const timeout = /^\d{1,6}(ms|s|m)$/.test(String(client['timeout'])) ? { timeout: client['timeout'] } : {};
  const options = { ...Object.fromEntries(flags.map((key) => [key, client[key]])), ...timeout };
  return {
    ...(extra['graphql'] === true && { graphql: true }),
    ...(Object.keys(options).length > 0 && { client: options }),
  };
}

function endpointOf({ dnpName, shipped, condition, threshold }: MonitoredEndpoint, names: Names): object {
  const definition = shipped.definition as EndpointDefinition;
  const [, ...others] = definition.conditions;
  const group = unquoted(definition.group ?? dnpName);
  return {
    name: names.take(group, unquoted(`${definition.name} (${dnpName})`)),
    group,
    url: definition.url,
    ...(definition.method !== 'GET' && { method: definition.method }),
    ...(definition.body !== undefined && { body: definition.body }),
    ...(Object.keys(definition.headers).length > 0 && { headers: definition.headers }),
    ...(definition.interval !== undefined && { interval: `${secondsOf(definition.interval)}s` }),
    conditions: [condition?.text ?? definition.conditions[0], ...others],
    ...extraOf(definition),
    alerts: definition.alerts.map((alert) => alertOf(alert, { dnpName, shipped, threshold })),
  };
}

/** With the whole notification in its body; Gatus adds the result. */
function alertOf(
  alert: EndpointAlert,
  { dnpName, shipped, threshold }: Pick<MonitoredEndpoint, 'dnpName' | 'shipped'> & { threshold: number | undefined }
): object {
  const { title, category, correlationId, priority, isBanner, callToAction } = shipped;
  const text = describeAlert(alert, shipped.condition?.right, threshold) || undefined;
  const body = gatusBody({ title, body: text, category, dnpName, correlationId, priority, isBanner, callToAction });
  return {
    type: 'custom',
    enabled: alert.enabled,
    // Without the threshold: Gatus identifies an open alert by its description, and must resolve it after the threshold has changed.
    description: unquoted(alert.description),
    'failure-threshold': alert.failureThreshold,
    'success-threshold': alert.successThreshold,
    'send-on-resolved': alert.sendOnResolved,
    'provider-override': { body },
  };
}

/** Gatus rejects quotes and backslashes in names and descriptions (alerting/alert/alert.go). */
const unquoted = (text: string): string => text.replaceAll('"', "'").replaceAll('\\', '/');

type Names = ReturnType<typeof createNames>;

/** Pairs of group and name must be unique in the form that Gatus uses in URLs (config/key/key.go). */
function createNames() {
  const taken = new Set<string>();
  const key = (text: string): string =>
    text
      .trim()
      .toLowerCase()
      .replace(/[/_., #+&]/g, '-');
  return {
    take(group: string, name: string): string {
      let free = name;
      for (let count = 2; taken.has(`${key(group)}_${key(free)}`); count += 1) {
        free = `${name} ${count}`;
      }
      taken.add(`${key(group)}_${key(free)}`);
      return free;
    },
  };
}
