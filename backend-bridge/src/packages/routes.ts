/** The paths below /packages, and what packages and Prometheus read of them. */
import { Router } from 'express';
import { LIMITS } from '../../contract/limits.ts';
import { fetchBodySchema, packageBodySchema, registerBodySchema, type TargetGroup } from '../../contract/package.ts';
import { findBadText } from '../../contract/text.ts';
import type { Guard, Sender } from '../http/auth.ts';
import { jsonBody } from '../http/body.ts';
import type { Outbound } from '../http/outbound.ts';
import { HttpProblem, invalid } from '../http/problem.ts';
import { readBody } from '../http/query.ts';
import { recordedAs } from '../http/identity.ts';
import type { Thresholds } from '../thresholds/service.ts';
import { fetchManifest } from './fetchManifest.ts';
import { ownManifest } from './ownManifest.ts';
import { notRegistered } from './refusals.ts';
import type { Registry } from './service.ts';

export interface PackageRouteDeps {
  registry: Registry;
}

/** Stands behind the admin guard (app.ts). */
export function packageRoutes({ registry }: PackageRouteDeps): Router {
  const router = Router();
  // Three files of up to 1 MiB each, with what JSON adds to a text.
  const body = jsonBody({ limit: LIMITS.packageBodyBytes.value });

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
  registry: Pick<Registry, 'find' | 'shelved'>;
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
    const groups: TargetGroup[] = (await registry.shelved())
      .filter(({ header }) => mayRead(res.locals.sender, header.dnp_name))
      .flatMap(({ kept }) => kept.targets);
    res.json(groups);
  });
  return router;
}

const mayRead = (sender: Sender | undefined, dnpName: string): boolean =>
  sender === undefined || sender.packages.length === 0 || sender.packages.includes(dnpName);
