/** Operations on packages, and those that packages and Prometheus call. */
import { isUtf8 } from 'node:buffer';
import type { PACKAGES } from '../../../contract/api/packages.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { Fetched } from '../../../contract/package.ts';
import { findBadText, show } from '../../../contract/text.ts';
import { urlSegment } from '../../../contract/url.ts';
import type { Sender } from '../../platform/http/guard.ts';
import { type Outbound, OutboundError } from '../../platform/http/outbound.ts';
import { HttpProblem, invalid } from '../../platform/http/problem.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import type { MonitoredEndpoint } from '../../monitoring/monitors/monitor.ts';
import type { Thresholds } from '../../monitoring/thresholds/service.ts';
import type { PackageTexts } from '../../validation/package/validatePackage.ts';
import { plainValue } from '../../validation/source/source.ts';
import { readYaml } from '../../validation/source/yaml.ts';
import { notRegistered } from './errors.ts';
import type { Registry } from './service.ts';

export interface PackageDeps {
  registry: Registry;
  thresholds: Pick<Thresholds, 'monitored'>;
  outbound: Outbound;
}

/** Operations of other files. */
type Others = 'getPackageIcon' | 'listDashboards' | 'downloadBackup' | 'restoreBackup';

export const packageHandlers = ({
  registry,
  thresholds,
  outbound,
}: PackageDeps): Handlers<Omit<typeof PACKAGES, Others>> => ({
  listPackages: () => registry.list(),
  getPackage: ({ params }) => registry.detail(params.dnpName),
  previewPackage: ({ body }) => registry.preview(checked(body)),
  async registerPackage({ body, by, res }) {
    const detail = await registry.register(checked(body), by);
    res.set('Location', `/api/v1/packages/${urlSegment(detail.dnpName)}`);
    return detail;
  },
  updatePackage: ({ params, body, by }) => registry.update(params.dnpName, checked(body), by),
  removePackage: ({ params, by }) => registry.remove(params.dnpName, by),
  getPackageFiles: ({ params }) => registry.files(params.dnpName),
  fetchManifest: ({ body }) => fetchManifest(outbound, checked(body).url),
  // DAppNode's path, which packages request. Tokens limited to packages can read these only.
  async ownManifest({ params: { dnpName }, res }) {
    if (!mayRead(res.locals.sender, dnpName)) {
      throw new HttpProblem('forbidden', 'This token is limited to other packages.');
    }
    const found = await registry.find(dnpName);
    if (found === undefined) {
      throw notRegistered(dnpName);
    }
    return ownManifest(found.texts, await thresholds.monitored(dnpName));
  },
  // HTTP service discovery (Prometheus documentation, "http_sd").
  prometheusTargets: async ({ res }) =>
    (await registry.cachedPackages())
      .filter(({ header }) => mayRead(res.locals.sender, header.dnp_name))
      .flatMap(({ extract }) => extract.targets),
});

/** @throws HttpProblem 400 for strings that cannot be stored, and for excessive nesting */
function checked<T>(body: T): T {
  const mistakes = findBadText(body);
  if (mistakes.length > 0) {
    throw invalid(mistakes, 'the body');
  }
  return body;
}

const mayRead = (sender: Sender | undefined, dnpName: string): boolean =>
  sender === undefined || sender.packages.length === 0 || sender.packages.includes(dnpName);

type Members = Record<string, unknown>;

/**
 * The manifest as packages read it, with their notifications inside, like DAppNode returns it. Pure.
 * @param texts as registered, YAML or JSON
 * @param monitored its endpoints with their settings, which override the values of the package
 * @returns the manifest with `notifications.endpoints` and `notifications.customEndpoints`, each in its original shape; the
 *   threshold of a custom endpoint is `metric.treshold`, as packages expect
 */
export function ownManifest(
  { manifest, notifications }: PackageTexts,
  monitored: readonly MonitoredEndpoint[]
): Members {
  const own = membersOf(JSON.parse(manifest.replace(/^\ufeff/, '')));
  const { root } = readYaml(notifications ?? '');
  const shipped = membersOf(notifications === undefined ? own['notifications'] : root && plainValue(root));
  const byId = new Map(monitored.map((one) => [one.shipped.correlationId, one]));
  const withSettings = (list: unknown, set: (endpoint: Members, one: MonitoredEndpoint) => Members): unknown[] =>
    listOf(list).map((endpoint) => {
      const members = membersOf(endpoint);
      const one = byId.get(String(members['correlationId'] ?? members['correlation-id']));
      return one === undefined ? endpoint : { ...set(members, one), enabled: one.on };
    });
  return {
    ...own,
    notifications: {
      endpoints: withSettings(shipped['endpoints'], setCondition),
      customEndpoints: withSettings(shipped['customEndpoints'], setMetric),
    },
  };
}

function setCondition(endpoint: Members, { condition }: MonitoredEndpoint): Members {
  const [, ...others] = listOf(endpoint['conditions']);
  return condition === undefined ? endpoint : { ...endpoint, conditions: [condition.text, ...others] };
}

function setMetric(endpoint: Members, { threshold }: MonitoredEndpoint): Members {
  const metric = membersOf(endpoint['metric']);
  if (threshold === undefined || endpoint['metric'] === undefined) {
    return endpoint;
  }
  const original = 'threshold' in metric ? { threshold } : {};
  return { ...endpoint, metric: { ...metric, ...original, treshold: threshold } };
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Upper limit of a manifest. Bytes. */
export const FETCH_LIMIT = LIMITS.fetchedManifestBytes.value;
/** Milliseconds. */
export const FETCH_TIMEOUT = 10_000;
const ALLOWED = 'the http(s) URL of a manifest that the bridge can reach';

/** @throws HttpProblem 400 with the reason */
export async function fetchManifest(outbound: Outbound, url: string): Promise<Fetched> {
  const {
    url: final,
    status,
    headers,
    body,
  } = await outbound.fetchGuarded(url, 'manifest').catch((error: unknown) => {
    throw error instanceof OutboundError ? refused(url, error.message) : error;
  });
  const host = new URL(final).host;
  if (status === 404 || status === 410) {
    throw refused(url, `Not found: ${host} returned ${status}.`);
  }
  if (status !== 200) {
    throw refused(url, `${host} returned status ${status}.`);
  }
  if (/^text\/html\b/i.test(String(headers['content-type'] ?? ''))) {
    throw refused(url, `${host} returned a web page. Use the URL of the raw file.`);
  }
  if (!isUtf8(body)) {
    throw refused(url, `The response of ${host} is not UTF-8 text.`);
  }
  return { text: body.toString('utf8'), name: nameOf(final) };
}

function refused(url: string, detail: string): HttpProblem {
  return invalid([{ pointer: '/url', found: show(withoutSecrets(url)), allowed: ALLOWED, detail }]);
}

/** Query and user info may contain secrets, which must not be logged or shown. */
function withoutSecrets(text: string): string {
  const url = URL.parse(text);
  return url === null ? text : `${url.protocol}//${url.host}${url.pathname}`;
}

function nameOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return (
      decodeURIComponent(last)
        .replace(/\p{Cc}/gu, '')
        .slice(0, 200) || 'manifest.json'
    );
  } catch {
    return last.slice(0, 200);
  }
}
