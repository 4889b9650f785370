/** Fetches the icons that notifications and packages name, so that no browser does. */
import { LRUCache } from 'lru-cache';
import { LIMITS } from '../../../contract/limits.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { type Outbound, OutboundError } from '../../platform/http/outbound.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import { type Budget, createBudget } from '../../platform/runtime/budget.ts';
import { createRateLimiter } from '../../platform/http/rateLimit.ts';
import { checkImage, type ImageType } from './image.ts';

export interface Icon {
  type: ImageType;
  bytes: Buffer;
}

export interface IconDeps {
  outbound: Outbound;
  log: { info(fields: object, message: string): void };
  /** Monotonic milliseconds. */
  now?: () => number;
}

/** A cached address; undefined: it has no image. */
interface Fetched {
  icon: Icon | undefined;
}
/** Estimated bytes of an entry without its image. */
const ENTRY_BYTES = 256;
const NONE = `The icon could not be fetched, or is not a PNG, JPEG, GIF or WebP image of up to ${LIMITS.iconSide.value}x${LIMITS.iconSide.value} pixels and ${LIMITS.iconBytes.value / 1024} KiB. The log of the bridge has the reason.`;

export type Icons = ReturnType<typeof createIcons>;

export function createIcons({ outbound, log, now = () => performance.now() }: IconDeps) {
  const admit = createAdmission(now);
  const load = async (address: string): Promise<Icon | undefined> => {
    const host = URL.parse(address)?.hostname ?? '';
    const release = admit(host);
    try {
      return await fetchIcon(outbound, address, (why) => log.info({ host, why }, 'icon not available'));
    } finally {
      release();
    }
  };
  const cache = new LRUCache<string, Fetched>({
    max: LIMITS.iconCacheEntries.value,
    maxSize: LIMITS.iconCache.value,
    sizeCalculation: ({ icon }, address) => ENTRY_BYTES + 2 * address.length + (icon?.bytes.length ?? 0),
    ttl: LIMITS.iconTtl.value * DAY_MS,
    perf: { now },
    ttlResolution: 0,
    // Pending requests get the image, even if its entry was evicted in the meantime.
    ignoreFetchAbort: true,
    fetchMethod: async (address, _stale, { options }) => {
      const icon = await load(address);
      if (icon === undefined) {
        options.ttl = LIMITS.iconRetryTime.value;
      }
      return { icon };
    },
  });
  return {
    /**
     * The image at an address that a notification or a package names.
     * @throws HttpProblem 404 if there is no valid image; 429 if too many are being fetched
     */
    async get(address: string): Promise<Icon> {
      const icon = (await cache.fetch(address))?.icon;
      if (icon === undefined) {
        throw new HttpProblem('not-found', NONE);
      }
      return icon;
    },
  };
}

async function fetchIcon(
  outbound: Outbound,
  address: string,
  onNone: (why: string) => void
): Promise<Icon | undefined> {
  try {
    const { status, body } = await outbound.fetchGuarded(address, 'icon');
    if (status !== 200) {
      onNone(`the server answered ${status}`);
      return undefined;
    }
    const check = checkImage(body);
    if (check.ok) {
      return { type: check.type, bytes: body };
    }
    onNone(check.why);
  } catch (error) {
    if (!(error instanceof OutboundError)) {
      throw error;
    }
    onNone(error.message);
  }
  return undefined;
}

/**
 * Limits fetches: concurrent ones and per second, in total and per host. A redirect counts for the first host.
 * @returns reserves a fetch and returns its release; throws HttpProblem 429
 */
function createAdmission(now: () => number): (host: string) => () => void {
  const all = createBudget(LIMITS.iconFetches.value);
  const hosts = new Map<string, Budget>();
  const rate = createRateLimiter(LIMITS.iconRate.value, 1);
  const hostRate = createRateLimiter(LIMITS.iconRateOfHost.value);
  return (host) => {
    const ofHost = hosts.get(host) ?? createBudget(LIMITS.iconFetchesOfHost.value);
    if (!all.take(1)) {
      throw busy(1000);
    }
    if (!ofHost.take(1)) {
      all.release(1);
      throw busy(1000);
    }
    hosts.set(host, ofHost);
    const release = (): void => {
      all.release(1);
      ofHost.release(1);
      if (ofHost.used === 0) {
        hosts.delete(host);
      }
    };
    const wait = hostRate.take(host, now()) || rate.take('', now());
    if (wait > 0) {
      release();
      throw busy(wait);
    }
    return release;
  };
}

function busy(ms: number): HttpProblem {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return new HttpProblem('too-many', `Too many icons are being fetched. Try again in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  });
}
