/**
 * Rate limit per sender: a steady rate with bursts of ten seconds' worth. The generic cell rate algorithm (ITU-T I.371): one number
 * per sender, the time at which its full allowance is available again.
 */
import type { Request, RequestHandler, Response } from 'express';
import { LIMITS } from '../../../contract/limits.ts';
import { HttpProblem } from './problem.ts';
import { senderOf } from './senderKey.ts';

export const BURST_SECONDS = 10;
/** Beyond it the least recently active sender is discarded, and starts with a full allowance. */
const MAX_SENDERS = LIMITS.rateLimitedSenders.value;

/** @param perSecond above 0 */
export function createRateLimiter(perSecond: number, maxSenders: number = MAX_SENDERS) {
  const interval = 1000 / perSecond;
  const burst = BURST_SECONDS * 1000;
  const fullAgainAt = new Map<string, number>();
  return {
    get size() {
      return fullAgainAt.size;
    },
    /**
     * @param now monotonic milliseconds
     * @param count taken if one is allowed: the sender waits longer for the next
     * @returns 0 if allowed, else milliseconds to wait
     */
    take: (key: string, now: number, count = 1): number => {
      const known = fullAgainAt.get(key);
      const start = Math.max(known ?? now, now);
      const early = start + interval - now - burst;
      if (early > 0) {
        return early;
      }
      if (known !== undefined) {
        fullAgainAt.delete(key);
      } else if (fullAgainAt.size >= maxSenders) {
        fullAgainAt.delete(fullAgainAt.keys().next().value as string);
      }
      fullAgainAt.set(key, start + count * interval);
      return 0;
    },
  };
}

/**
 * Counts the items of a request besides the first, which its handler has counted.
 * @throws HttpProblem 429
 */
export type Charge = (req: Request, res: Response, more: number) => void;

/**
 * Mounted behind `guard.sender`. Ignores X-Forwarded-For, which clients can forge.
 * @param perSecond 0: no limit
 */
export function rateLimit(
  perSecond: number,
  now: () => number = () => performance.now()
): { limit: RequestHandler; charge: Charge } {
  if (perSecond === 0) {
    return { limit: (_req, _res, next) => next(), charge: () => undefined };
  }
  const limiter = createRateLimiter(perSecond);
  const charge: Charge = (req, res, count) => {
    const wait = limiter.take(senderOf(req, res), now(), count);
    if (wait > 0) {
      const seconds = Math.max(1, Math.ceil(wait / 1000));
      throw new HttpProblem(
        'too-many',
        `More than ${perSecond} requests or notifications a second, for longer than ${BURST_SECONDS} seconds. Try again in ${seconds} s.`,
        {
          headers: { 'Retry-After': String(seconds) },
        }
      );
    }
  };
  return {
    limit: (req, res, next) => {
      charge(req, res, 1);
      next();
    },
    charge: (req, res, more) => more > 0 && charge(req, res, more),
  };
}
