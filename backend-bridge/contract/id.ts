/** Ids that the bridge assigns: positive integers, increasing with time, that JSON clients represent exactly. */
import { z } from 'zod';

/** The largest id, in paths, queries, bodies and cursors alike: the largest integer of which JavaScript represents each one exactly. */
export const MAX_ID = Number.MAX_SAFE_INTEGER;
/** The largest id of an imported notification: as many are left above it, because new notifications get ids above the highest one. */
export const MAX_ARCHIVED_ID = 2 ** 52;

/** An id in a body. */
export const idSchema = z.int().positive().max(MAX_ID);
/** An id in a query. */
export const idQuerySchema = z.coerce.number().int().positive().max(MAX_ID);

/**
 * An id in a path, a header or a cursor.
 * @param text decimal digits without leading zeros
 * @returns undefined if it is no integer from 0 to {@link MAX_ID}
 */
export function parseId(text: string): number | undefined {
  const id = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : undefined;
  return id !== undefined && id <= MAX_ID ? id : undefined;
}
