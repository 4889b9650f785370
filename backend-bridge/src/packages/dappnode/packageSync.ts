/**
 * Keeps the registry equal to the packages that are installed on the node: the open API of DAppNode's manager lists them and serves
 * their manifests, with the settings that its own UI has written into them (DNP_DAPPMANAGER, packages/dappmanager/src/api).
 */
import type { Logger } from 'pino';
import { isObject } from '../../../contract/text.ts';
import type { Actor } from '../../../contract/audit.ts';
import type { RegisterBody } from '../../../contract/package.ts';
import { urlSegment } from '../../../contract/url.ts';
import type { Outbound } from '../../platform/http/outbound.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import { MANAGER } from '../registry/change.ts';
import type { Registry } from '../registry/service.ts';

const BY_MANAGER: Actor = { kind: 'bridge', name: MANAGER };
const RETRY_MS = 60_000;
/** The manager requests no reload when a package is removed or has no notifications (packages/installer). */
const RESYNC_MS = 600_000;

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

/** Syncs the registry with the packages of the node. */
export class PackageSync {
  readonly #deps: PackageSyncDeps;
  readonly #ending = new AbortController();
  #running: Promise<SyncResult> | undefined;
  #next: Promise<SyncResult> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: PackageSyncDeps) {
    this.#deps = deps;
  }

  /**
   * Reads everything anew. Calls during a run share the next one.
   * @throws HttpProblem 502 if the manager does not list the packages; nothing is changed then
   */
  async sync(): Promise<SyncResult> {
    if (this.#running === undefined) {
      return this.#begin();
    }
    this.#next ??= this.#idle().then(() => {
      this.#next = undefined;
      return this.#begin();
    });
    return this.#next;
  }

  /** Syncs now and every ten minutes; after a failure, after a minute. @returns stops that, and waits for a run in progress */
  start(): () => Promise<void> {
    const stopping = new AbortController();
    void this.#repeat(AbortSignal.any([this.#ending.signal, stopping.signal]));
    return async () => {
      stopping.abort();
      clearTimeout(this.#timer);
      await this.#idle();
    };
  }

  /** Cancels the run in progress, and waits for it to end. */
  async close(): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#timer);
    await this.#idle();
  }

  #begin(): Promise<SyncResult> {
    this.#ending.signal.throwIfAborted();
    this.#running = this.#run().finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #run(): Promise<SyncResult> {
    const result = await syncOnce(this.#deps, this.#ending.signal);
    const { changed, removed, rejected } = result;
    if (changed.length + removed.length + rejected.length > 0) {
      this.#deps.log.info({ changed: changed.length, removed: removed.length, rejected }, 'packages synced');
    }
    return result;
  }

  async #repeat(stopped: AbortSignal): Promise<void> {
    let wait = RESYNC_MS;
    try {
      await this.sync();
    } catch (error) {
      wait = RETRY_MS;
      if (!this.#ending.signal.aborted) {
        this.#deps.log.warn({ err: error }, 'could not sync packages; retrying in a minute');
      }
    }
    if (!stopped.aborted) {
      this.#timer = setTimeout(() => void this.#repeat(stopped), wait);
      this.#timer.unref();
    }
  }

  /** Waits for the run in progress. */
  async #idle(): Promise<void> {
    await this.#running?.catch(() => undefined);
  }
}

async function syncOnce({ managerUrl, outbound, registry }: PackageSyncDeps, signal: AbortSignal): Promise<SyncResult> {
  /** @returns undefined for 404 */
  const fetchJson = async (path: string, purpose: string): Promise<unknown> => {
    const { status, body } = await outbound
      .fetchGuarded(`${managerUrl}${path}`, purpose, { signal })
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
  const manifestOf = (name: string) => fetchJson(`/package-manifest/${urlSegment(name)}`, 'manifest');

  const installed = namesOf(await fetchJson('/public-packages', 'list of packages'));
  const registered = new Map((await registry.list()).map((one) => [one.dnpName, one]));
  const result: SyncResult = { packages: 0, changed: [], removed: [], rejected: [] };
  const reject = (dnpName: string, error: unknown): void => {
    signal.throwIfAborted();
    if (!(error instanceof HttpProblem) || error.kind === 'unavailable' || error.kind === 'internal') {
      throw error;
    }
    result.rejected.push({ dnpName, reason: error.message });
  };
  for (const name of installed) {
    try {
      const manifest = await manifestOf(name);
      if (isObject(manifest)) {
        result.packages += 1;
        if (await put(registry, name, manifest, registered.get(name)?.fingerprint)) {
          result.changed.push(name);
        }
      }
    } catch (error) {
      reject(name, error);
    }
  }
  const gone = [...registered.values()].filter((one) => one.registeredBy === MANAGER && !installed.has(one.dnpName));
  for (const { dnpName } of gone) {
    try {
      // While the manager recreates containers, a package is not listed, but its manifest is still there.
      if ((await manifestOf(dnpName)) === undefined) {
        await registry.remove(dnpName, BY_MANAGER);
        result.removed.push(dnpName);
      }
    } catch (error) {
      reject(dnpName, error);
    }
  }
  return result;
}

/**
 * @param known the fingerprint of the registered package; undefined if not registered
 * @returns whether it changed
 */
async function put(
  registry: PackageSyncDeps['registry'],
  name: string,
  manifest: Record<string, unknown>,
  known: string | undefined
): Promise<boolean> {
  if (manifest['name'] !== name) {
    throw new HttpProblem('invalid', `The manifest of ${name} has another name.`);
  }
  const body = bodyOf(manifest);
  const { fingerprint } = await (known === undefined
    ? registry.register(body, BY_MANAGER)
    : registry.update(name, body, BY_MANAGER));
  return fingerprint !== known;
}

function refuse(detail: string, cause?: unknown): never {
  throw new HttpProblem('bad-gateway', detail, { cause });
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
