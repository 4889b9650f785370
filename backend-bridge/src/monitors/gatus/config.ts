/**
 * The configuration file that Gatus reads (TwiN/gatus 5.x, README "Configuration"). One endpoint that Gatus refuses makes it
 * refuse the whole file, so what it would refuse is left out and said. Pure.
 */
import { GATUS_BODY, gatusBody } from '../../../contract/gatusWebhook.ts';
import type { EndpointAlert, EndpointDefinition } from '../../validation/notifications/validateNotifications.ts';
import { describeAlert, secondsOf } from '../definition.ts';
import { isGoUrl, unfitTimes } from '../fit.ts';
import { WRITTEN_BY, yamlText } from '../writtenFile.ts';
import type { Concern } from '../reconciler.ts';
import type { ShippedEndpoint, WatchedEndpoint } from '../../thresholds/types.ts';

export interface GatusTarget {
  /** Where Gatus posts its alerts: the bridge's `/api/v1/webhooks/gatus`, as Gatus reaches it. */
  webhookUrl: string;
  /** A sender's token, where senders need one. */
  token?: string | undefined;
}

/** Whether Gatus can watch it. */
export function gatusConcern({ shipped, condition }: WatchedEndpoint): Concern {
  const { watch } = shipped;
  if (watch === undefined) {
    return { kind: 'none' };
  }
  const reason = refusal(watch);
  if (reason !== undefined) {
    return { kind: 'read-only', reason: `Gatus is not told of it: ${reason}` };
  }
  const note = condition?.cautions[0];
  return note === undefined ? { kind: 'watched' } : { kind: 'watched', note };
}

/** What Gatus' own checks refuse (config/endpoint/endpoint.go, condition.go); anything of it would stop Gatus. */
function refusal(watch: EndpointDefinition): string | undefined {
  const { url, method, conditions, extra, interval } = watch;
  if (url === undefined || url === '') {
    return 'it has no address.';
  }
  if (!/^(https?|tcp|udp|sctp|icmp|starttls|tls|wss?):\/\//.test(url) || !isGoUrl(url)) {
    return `its address (${url.slice(0, 80)}) is of no kind that is handed on.`;
  }
  if (!METHODS.includes(method)) {
    return `its method (${method.slice(0, 40)}) is none of ${METHODS.join(', ')}.`;
  }
  if (conditions.length === 0) {
    return 'it has no condition.';
  }
  const unspaced = conditions.find((text) => !/ (==|!=|<=|>=|>|<) /.test(text));
  if (unspaced !== undefined) {
    return `it wants a space on each side of the operator, and the package ships ${unspaced.slice(0, 80)}.`;
  }
  if (conditions.some((text) => text.includes('[DOMAIN_EXPIRATION]')) && secondsOf(interval) < 300) {
    return 'it checks domains at most every 5 minutes, and the package wants it more often.';
  }
  return extra['dns'] !== undefined || extra['ssh'] !== undefined
    ? 'dns and ssh are not handed on; write such an endpoint into a file of your own beside this one.'
    : unfitTimes(watch);
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * The whole file: every endpoint that is on, in the order of packages and their files.
 * @param endpoints that Gatus can watch ({@link gatusConcern})
 */
export function gatusConfig(endpoints: readonly WatchedEndpoint[], target: GatusTarget): string {
  const headers = {
    'Content-Type': 'application/json',
    ...(target.token !== undefined && { Authorization: `Bearer ${target.token}` }),
  };
  const names = createNames();
  const on = endpoints.filter((one) => one.on);
  const alerting = { custom: { url: target.webhookUrl, method: 'POST', headers, body: GATUS_BODY } };
  const listed = on.length === 0 ? [yamlOf([NOTHING])] : on.map((one) => endpointText(one, names));
  return `${HEAD}\n${yamlOf({ alerting })}endpoints:\n${listed.join('')}`;
}

/** Gatus puts variables of its environment in the place of $NAME; $$ stands for one dollar (config/config.go). */
const yamlOf = (value: unknown): string => yamlText(value).replaceAll('$', '$$$$');

/** A move of one slider writes the whole file: what the others look like is kept as long as their packages are. */
const texts = new WeakMap<ShippedEndpoint, { of: string; text: string }>();

function endpointText(endpoint: WatchedEndpoint, names: Names): string {
  const { dnpName, shipped, condition, threshold } = endpoint;
  const { group, name } = namesOf(endpoint, names);
  const of = JSON.stringify([dnpName, name, condition?.text, threshold]);
  const known = texts.get(shipped);
  if (known?.of === of) {
    return known.text;
  }
  const text = yamlOf([endpointOf(endpoint, { name, group })]);
  texts.set(shipped, { of, text });
  return text;
}

const HEAD = `${WRITTEN_BY} from the endpoints of its packages. What is changed here is lost: set it in Nodebell.
# Gatus merges all files of a folder (GATUS_CONFIG_PATH names the folder): what is yours goes into another file.`;

/** Gatus refuses a file without endpoints. */
const NOTHING = {
  name: 'Nothing is switched on in Nodebell',
  enabled: false,
  url: 'http://127.0.0.1',
  conditions: ['[STATUS] < 500'],
};

/** What Gatus knows beyond what the node's schema has: only what it cannot choke on. */
function handedOn({ extra }: EndpointDefinition): object {
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

function namesOf({ dnpName, shipped }: WatchedEndpoint, names: Names): { name: string; group: string } {
  const watch = shipped.watch as EndpointDefinition;
  const group = harmless(watch.group ?? dnpName);
  return { name: names.take(group, harmless(`${watch.name} (${dnpName})`)), group };
}

function endpointOf(
  { dnpName, shipped, condition, threshold }: WatchedEndpoint,
  names: { name: string; group: string }
): object {
  const watch = shipped.watch as EndpointDefinition;
  const [, ...others] = watch.conditions;
  return {
    ...names,
    url: watch.url,
    ...(watch.method !== 'GET' && { method: watch.method }),
    ...(watch.body !== undefined && { body: watch.body }),
    ...(Object.keys(watch.headers).length > 0 && { headers: watch.headers }),
    ...(watch.interval !== undefined && { interval: `${secondsOf(watch.interval)}s` }),
    conditions: [condition?.text ?? watch.conditions[0], ...others],
    ...handedOn(watch),
    alerts: watch.alerts.map((alert) => alertOf(alert, { dnpName, shipped, threshold })),
  };
}

/** With all that makes the notification complete; Gatus itself fills in what it found. */
function alertOf(
  alert: EndpointAlert,
  { dnpName, shipped, threshold }: Pick<WatchedEndpoint, 'dnpName' | 'shipped'> & { threshold: number | undefined }
): object {
  const { title, category, correlationId, priority, isBanner, callToAction } = shipped;
  const text = describeAlert(alert, shipped.condition?.right, threshold) || undefined;
  const body = gatusBody({ title, body: text, category, dnpName, correlationId, priority, isBanner, callToAction });
  return {
    type: 'custom',
    enabled: alert.enabled,
    // Without the threshold: Gatus knows an open alert again by its description, and so resolves it after the number has moved.
    description: harmless(alert.description),
    'failure-threshold': alert.failureThreshold,
    'success-threshold': alert.successThreshold,
    'send-on-resolved': alert.sendOnResolved,
    'provider-override': { body },
  };
}

/** Gatus refuses quotes and back slashes in names and descriptions (alerting/alert/alert.go). */
const harmless = (text: string): string => text.replaceAll('"', "'").replaceAll('\\', '/');

interface Names {
  take(group: string, name: string): string;
}

/** Gatus wants each pair of group and name once, as it writes them in addresses (config/key/key.go). */
function createNames(): Names {
  const taken = new Set<string>();
  const key = (text: string): string =>
    text
      .trim()
      .toLowerCase()
      .replace(/[/_., #+&]/g, '-');
  return {
    take(group, name) {
      let free = name;
      for (let count = 2; taken.has(`${key(group)}_${key(free)}`); count += 1) {
        free = `${name} ${count}`;
      }
      taken.add(`${key(group)}_${key(free)}`);
      return free;
    },
  };
}
