/**
 * Keeps the registry equal to the packages that are installed on the node: the open API of DAppNode's manager lists them and serves
 * their manifests, with the settings that its own UI has written into them (DNP_DAPPMANAGER, packages/dappmanager/src/api).
 */
import type { Logger } from 'pino';
import type { RegisterBody } from '../../contract/package.ts';
import type { Outbound } from '../http/outbound.ts';
import { HttpProblem } from '../http/problem.ts';
import type { Registry } from '../packages/service.ts';

/** Who registered a package, as its history shows. */
const MANAGER = 'DAppNode';
const RETRY_MS = 60_000;

export interface PackageSyncDeps {
  /** Base URL of the manager, without a slash at its end. */
  managerUrl: string;
  outbound: Outbound;
  registry: Pick<Registry, 'list' | 'register' | 'update' | 'remove'>;
  log: Pick<Logger, 'info' | 'warn'>;
}

export interface SyncResult {
  /** Packages with a manifest on the node. */
  packages: number;
  /** Registered or updated. */
  changed: string[];
  removed: string[];
  /** Not registered, with the reason. They stay as they were. */
  rejected: { dnpName: string; reason: string }[];
}

export interface PackageSync {
  /**
   * Reads everything anew. Calls during a run share the next one.
   * @throws HttpProblem 502 if the manager does not respond as expected; nothing is changed then
   */
  sync(): Promise<SyncResult>;
  /** Syncs until it succeeds once. */
  start(): void;
  close(): void;
}

export function createPackageSync(deps: PackageSyncDeps): PackageSync {
  let running: Promise<SyncResult> | undefined;
  let next: Promise<SyncResult> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  const run = async (): Promise<SyncResult> => {
    const result = await syncOnce(deps);
    deps.log.info({ ...result, changed: result.changed.length, removed: result.removed.length }, 'packages synced');
    return result;
  };
  const begin = (): Promise<SyncResult> => {
    running = run().finally(() => (running = undefined));
    return running;
  };
  const sync = (): Promise<SyncResult> => {
    if (running === undefined) {
      return begin();
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
  const start = (): void => {
    sync().catch((error: unknown) => {
      deps.log.warn({ err: error }, 'could not sync packages; retrying in a minute');
      if (!closed) {
        retry = setTimeout(start, RETRY_MS);
        retry.unref();
      }
    });
  };
  return {
    sync,
    start,
    close() {
      closed = true;
      clearTimeout(retry);
    },
  };
}

async function syncOnce({ managerUrl, outbound, registry }: PackageSyncDeps): Promise<SyncResult> {
  const fetchJson = async (path: string, purpose: string): Promise<unknown> => {
    const { status, body } = await outbound
      .fetchGuarded(`${managerUrl}${path}`, purpose)
      .catch((error: Error) => refuse(error.message, error));
    if (status === 404) {
      return undefined;
    }
    if (status !== 200) {
      refuse(`The server of the ${purpose} responded with status ${status}.`);
    }
    try {
      return JSON.parse(body.toString('utf8'));
    } catch {
      return refuse(`The response with the ${purpose} is not JSON.`);
    }
  };
  const installed = namesOf(await fetchJson('/public-packages', 'list of packages'));
  const bodies = new Map<string, RegisterBody>();
  for (const name of installed) {
    const manifest = await fetchJson(`/package-manifest/${encodeURIComponent(name)}`, 'manifest');
    if (isObject(manifest)) {
      bodies.set(name, bodyOf(manifest));
    }
  }
  const registered = await registry.list();
  const result: SyncResult = { packages: bodies.size, changed: [], removed: [], rejected: [] };
  for (const [name, body] of bodies) {
    const known = registered.find(({ dnpName }) => dnpName === name);
    try {
      const { fingerprint } = known
        ? await registry.update(name, body, MANAGER)
        : await registry.register(body, MANAGER);
      if (fingerprint !== known?.fingerprint) {
        result.changed.push(name);
      }
    } catch (error) {
      if (!(error instanceof HttpProblem) || error.status >= 500) {
        throw error;
      }
      result.rejected.push({ dnpName: name, reason: error.message });
    }
  }
  for (const { dnpName, registeredBy } of registered) {
    if (registeredBy === MANAGER && !installed.has(dnpName)) {
      await registry.remove(dnpName, MANAGER);
      result.removed.push(dnpName);
    }
  }
  return result;
}

function refuse(detail: string, cause?: unknown): never {
  throw new HttpProblem('bad-gateway', detail, { cause });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One item a container: packages with several containers occur several times. */
function namesOf(list: unknown): Set<string> {
  if (!Array.isArray(list)) {
    return refuse('The list of packages is not a JSON array.');
  }
  return new Set(list.flatMap((item) => (isObject(item) && typeof item['name'] === 'string' ? [item['name']] : [])));
}

/** Installing a package on the node has accepted its disclaimer, and decided its version. */
function bodyOf({ notifications, ...manifest }: Record<string, unknown>): RegisterBody {
  return {
    manifest,
    ...(isObject(notifications) && { notifications }),
    disclaimerAccepted: true,
    allowDowngrade: true,
  };
}
