/** Options of a panel, stored in the dashboard's JSON, which can be edited by hand. */
import { z } from 'zod';
import { isObject } from '@nodebell/contract/text.ts';

/** A list of strings; other values are dropped. */
export const strings = z
  .array(z.unknown())
  .catch([])
  .transform((list) => list.filter((one) => typeof one === 'string'));

/** @returns reads options by a schema whose members have defaults */
export const reading =
  <T extends z.ZodType>(schema: T) =>
  (options: unknown): z.output<T> =>
    schema.parse(isObject(options) ? options : {});
