/** Routes below /packages, and the routes that packages and Prometheus read. */
import { isUtf8 } from 'node:buffer';
import { Router } from 'express';
import {
  fetchBodySchema,
  type Fetched,
  packageBodySchema,
  registerBodySchema,
  type TargetGroup,
} from '../../contract/package.ts';
import { findBadText, show } from '../../contract/text.ts';
import type { Guard, Sender } from '../http/auth.ts';
import { jsonBody } from '../http/body.ts';
import { recordedAs } from '../http/identity.ts';
import { type Outbound, OutboundError } from '../http/outbound.ts';
import { HttpProblem, invalid } from '../http/problem.ts';
import { readBody } from '../http/query.ts';
import type { Thresholds } from '../thresholds/service.ts';
import type { WatchedEndpoint } from '../thresholds/types.ts';
import type { PackageTexts } from '../validation/validatePackage.ts';
import { plainValue, readYaml } from '../validation/yaml/tree.ts';
import { notRegistered } from './errors.ts';
import type { Registry } from './service.ts';

/** Three files of up to 1 MiB each, with what JSON adds to a text. */
export const PACKAGE_BODY_LIMIT = 4 * 1024 * 1024;

export interface PackageRouteDeps {
  registry: Registry;
}

/** Stands behind the admin guard (app.ts). */
export function packageRoutes({ registry }: PackageRouteDeps): Router {
  const router = Router();
  const body = jsonBody({ limit: PACKAGE_BODY_LIMIT });

  router.get('/', async (_req, res) => {
    res.json(await registry.list());
  });
  router.get('/:dnpName', async (req, res) => {
    res.json(await registry.detail(String(req.params.dnpName)));
  });
  router.post('/preview', ...body, async (req, res) => {
    res.json(await registry.preview(readBody(checked(req.body), packageBodySchema)));
  });
  router.post('/', ...body, async (req, res) => {
    const detail = await registry.register(
      readBody(checked(req.body), registerBodySchema),
      recordedAs(res.locals.person)
    );
    res
      .status(201)
      .set('Location', `${req.baseUrl}/${encodeURIComponent(detail.dnpName)}`)
      .json(detail);
  });
  router.put('/:dnpName', ...body, async (req, res) => {
    const asked = readBody(checked(req.body), registerBodySchema);
    res.json(await registry.update(String(req.params.dnpName), asked, recordedAs(res.locals.person)));
  });
  router.delete('/:dnpName', async (req, res) => {
    await registry.remove(String(req.params.dnpName), recordedAs(res.locals.person));
    res.status(204).end();
  });
  return router;
}

/** The texts of packages' files, behind the admin guard; a prefix of its own as below, since Viewers read `packages`. */
export function packageFilesRoutes(registry: Pick<Registry, 'files'>): Router {
  const router = Router();
  router.get('/:dnpName', async (req, res) => {
    res.json(await registry.files(String(req.params.dnpName)));
  });
  return router;
}

/**
 * Fetching a manifest, behind the admin guard. A prefix of its own: Grafana asks more of a person for it than for the paths below
 * `packages`, and compares paths by another measure than Express, to which `Fetch` and `fetch/` are the same.
 */
export function fetchRoutes(outbound: Outbound): Router {
  const router = Router();
  router.post('/', ...jsonBody(), async (req, res) => {
    res.json(await fetchManifest(outbound, readBody(checked(req.body), fetchBodySchema).url));
  });
  return router;
}

/** @throws HttpProblem 400 for text that cannot be kept, and for nesting that would be too deep to write out again */
function checked(body: unknown): unknown {
  const mistakes = findBadText(body);
  if (mistakes.length > 0) {
    throw invalid(mistakes, 'the body');
  }
  return body;
}

export interface SenderRouteDeps {
  guard: Pick<Guard, 'sender'>;
  registry: Pick<Registry, 'find' | 'cachedPackages'>;
}

export interface OwnManifestDeps extends SenderRouteDeps {
  thresholds: Pick<Thresholds, 'watched'>;
}

/** `/package-manifest/{dnpName}`: the real system's path, which packages ask. A token that is bound to packages reads these. */
export function ownManifestRoutes({ guard, registry, thresholds }: OwnManifestDeps): Router {
  const router = Router();
  router.get('/:dnpName', guard.sender, async (req, res) => {
    const dnpName = String(req.params.dnpName);
    if (!mayRead(res.locals.sender, dnpName)) {
      throw new HttpProblem('forbidden', 'This token is bound to packages, and this is none of them.');
    }
    const found = await registry.find(dnpName);
    if (found === undefined) {
      throw notRegistered(dnpName);
    }
    res.json(ownManifest(found.texts, await thresholds.watched(dnpName)));
  });
  return router;
}

/** `/prometheus/targets`: HTTP service discovery (Prometheus documentation, "http_sd"). */
export function prometheusRoutes({ guard, registry }: SenderRouteDeps): Router {
  const router = Router();
  router.get('/targets', guard.sender, async (_req, res) => {
    const groups: TargetGroup[] = (await registry.cachedPackages())
      .filter(({ header }) => mayRead(res.locals.sender, header.dnp_name))
      .flatMap(({ extract }) => extract.targets);
    res.json(groups);
  });
  return router;
}

const mayRead = (sender: Sender | undefined, dnpName: string): boolean =>
  sender === undefined || sender.packages.length === 0 || sender.packages.includes(dnpName);

type Members = Record<string, unknown>;

/**
 * @param texts as they were registered; YAML is read the way JSON is
 * @param watched its endpoints with what is set: these values take the place of what the package ships
 * @returns the manifest with `notifications.endpoints` and `notifications.customEndpoints`; each in the shape that the package
 *   gave it, a threshold of its own spelt `metric.treshold`, as packages read it
 */
export function ownManifest({ manifest, notifications }: PackageTexts, watched: readonly WatchedEndpoint[]): Members {
  const { root } = readYaml(notifications ?? '');
  const shipped = membersOf(root && plainValue(root));
  const byId = new Map(watched.map((one) => [one.shipped.correlationId, one]));
  const withSettings = (list: unknown, set: (endpoint: Members, one: WatchedEndpoint) => Members): unknown[] =>
    listOf(list).map((endpoint) => {
      const members = membersOf(endpoint);
      const one = byId.get(String(members['correlationId'] ?? members['correlation-id']));
      return one === undefined ? endpoint : { ...set(members, one), enabled: one.on };
    });
  return {
    ...membersOf(JSON.parse(manifest.replace(/^\ufeff/, ''))),
    notifications: {
      endpoints: withSettings(shipped['endpoints'], setCondition),
      customEndpoints: withSettings(shipped['customEndpoints'], setMetric),
    },
  };
}

function setCondition(endpoint: Members, { condition }: WatchedEndpoint): Members {
  const [, ...others] = listOf(endpoint['conditions']);
  return condition === undefined ? endpoint : { ...endpoint, conditions: [condition.text, ...others] };
}

function setMetric(endpoint: Members, { threshold }: WatchedEndpoint): Members {
  const metric = membersOf(endpoint['metric']);
  if (threshold === undefined || endpoint['metric'] === undefined) {
    return endpoint;
  }
  const spelt = 'threshold' in metric ? { threshold } : {};
  return { ...endpoint, metric: { ...metric, ...spelt, treshold: threshold } };
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** As large as a manifest may be. Bytes. */
export const FETCH_LIMIT = 1024 * 1024;
/** Milliseconds. */
export const FETCH_TIMEOUT = 10_000;
const ALLOWED = 'the address of a manifest, http: or https:, that the bridge may reach';

/** @throws HttpProblem 400 that says why there is none */
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
    throw refused(url, `There is nothing at this address: ${host} answers ${status}.`);
  }
  if (status !== 200) {
    throw refused(url, `${host} answers ${status} instead of the manifest.`);
  }
  if (/^text\/html\b/i.test(String(headers['content-type'] ?? ''))) {
    throw refused(url, `${host} answers a web page. Give the address of the file itself ("raw").`);
  }
  if (!isUtf8(body)) {
    throw refused(url, `What ${host} answers is not text in UTF-8.`);
  }
  return { text: body.toString('utf8'), name: nameOf(final) };
}

function refused(url: string, detail: string): HttpProblem {
  return invalid([{ pointer: '/url', found: show(withoutSecrets(url)), allowed: ALLOWED, detail }]);
}

/** A query and a user may hold secrets, which do not belong into an answer that is logged and shown. */
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
