/**
 * Validates a group of alerts, one alert after another: a body of a hundred thousand wrong alerts must not create an issue for
 * each member of each of them before the first is reported.
 */
import type { z } from 'zod';
import { LIMITS } from '../../contract/limits.ts';
import type { ProblemError } from '../../contract/problem.ts';
import { toProblemErrors } from '../../contract/readPayload.ts';
import { toPointer } from '../../contract/text.ts';
import type { Reading } from './read.ts';

type GroupSchema = z.ZodObject<{ alerts: z.ZodArray<z.ZodType> }>;

/**
 * @param schema of the group, with its alerts
 * @param value any parsed JSON value
 * @returns what the schema makes of it, or at most `LIMITS.countedErrors` errors
 */
export function validateGroup<T extends GroupSchema>(schema: T, value: unknown): Reading<z.output<T>> {
  const given = isObject(value) && Array.isArray(value.alerts) ? (value.alerts as unknown[]) : [];
  const group = validateOne(schema, given.length === 0 ? value : { ...(value as object), alerts: [] }, []);
  const errors = group.ok ? [] : group.errors;
  const alerts: unknown[] = [];
  for (const [index, alert] of given.entries()) {
    if (errors.length >= LIMITS.countedErrors.value) {
      break;
    }
    const result = validateOne(schema.shape.alerts.element, alert, ['alerts', index]);
    if (result.ok) {
      alerts.push(result.value);
    } else {
      errors.push(...result.errors);
    }
  }
  return errors.length === 0 && group.ok ? { ok: true, value: { ...group.value, alerts } } : { ok: false, errors };
}

function validateOne<T extends z.ZodType>(
  schema: T,
  value: unknown,
  path: readonly PropertyKey[]
): Reading<z.output<T>> {
  const oversized = oversizedMaps(value, path);
  if (oversized.length > 0) {
    return { ok: false, errors: oversized };
  }
  const result = schema.safeParse(value);
  return result.success ? { ok: true, value: result.data } : { ok: false, errors: errorsAt(path, result.error, value) };
}

function errorsAt(path: readonly PropertyKey[], error: z.ZodError, value: unknown): ProblemError[] {
  return toProblemErrors(error, value, {
    pointer: (rest) => toPointer([...path, ...rest]),
    name: (rest) => [...path, ...rest].map(String).join('.'),
  });
}

const MAPS = ['labels', 'annotations', 'groupLabels', 'commonLabels', 'commonAnnotations'];

/** Before the schema sees them: it would create an issue for each of their values. */
function oversizedMaps(holder: unknown, path: readonly PropertyKey[]): ProblemError[] {
  if (!isObject(holder)) {
    return [];
  }
  return MAPS.flatMap((name) => {
    const map = holder[name];
    const count = isObject(map) ? Object.keys(map).length : 0;
    if (count <= LIMITS.alertLabels.value) {
      return [];
    }
    const allowed = `at most ${LIMITS.alertLabels.value} members`;
    const where = [...path, name];
    const detail = `"${where.join('.')}" must have ${allowed}; found ${count}.`;
    return [{ pointer: toPointer(where), found: `${count} members`, allowed, detail }];
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
