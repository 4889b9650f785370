/** Schemas that have a description, which the OpenAPI document shows. Further rules follow as with any schema of Zod. */
import { z } from 'zod';

/** Members of the JSON Schema besides the description. */
type Meta = Record<string, unknown>;

export const string = (description: string, meta: Meta = {}) => z.string().meta({ description, ...meta });
export const integer = (description: string, meta: Meta = {}) => z.int().meta({ description, ...meta });
export const number = (description: string, meta: Meta = {}) => z.number().meta({ description, ...meta });
export const boolean = (description: string, meta: Meta = {}) => z.boolean().meta({ description, ...meta });
/** ISO 8601, UTC. */
export const time = (description: string) => z.iso.datetime().describe(description);
export const oneOf = <const V extends readonly string[]>(description: string, values: V, meta: Meta = {}) =>
  z.enum(values).meta({ description, ...meta });
export const list = <T extends z.ZodType>(description: string, item: T, meta: Meta = {}) =>
  z.array(item).meta({ description, ...meta });
export const nullable = <T extends z.ZodType>(description: string, item: T) => item.nullable().describe(description);
/** A list that is not empty. @param what its entries are, in the plural */
export const some = <T extends z.ZodType>(description: string, item: T, what: string, max: number) =>
  list(description, item)
    .max(max)
    .refine((all) => all.length > 0, { error: `a list of ${what} that is not empty` });

/** A parameter of a query: a whole number from 1. @param initial default */
export const countQuery = (description: string, max: number, initial: number) =>
  z.coerce.number().int().min(1).max(max).optional().meta({ description, default: initial });

export const object = <S extends z.ZodRawShape>(description: string, shape: S) => z.object(shape).describe(description);
/** A list of objects. */
export const objects = <S extends z.ZodRawShape>(description: string, shape: S) => list(description, z.object(shape));

/** An object with a name in the OpenAPI document. */
export const component = <S extends z.ZodRawShape>(id: string, description: string, shape: S) =>
  z.object(shape).meta({ id, description });
/** Without other members, as requests are. */
export const strictComponent = <S extends z.ZodRawShape>(id: string, description: string, shape: S) =>
  z.strictObject(shape).meta({ id, description });
/** With any other members, as bodies of other programs are. */
export const looseComponent = <S extends z.ZodRawShape>(id: string, description: string, shape: S) =>
  z.looseObject(shape).meta({ id, description });

/** A rule about several members. @param check calls `refuse` with the place of a mistake, and what is allowed there */
export const rule =
  <T>(check: (value: T, refuse: (path: PropertyKey[], allowed: string) => void) => void) =>
  ({ value, issues }: z.core.ParsePayload<T>): void =>
    check(value, (path, message) => void issues.push({ code: 'custom', path, message, input: value }));
