/** Reads one of Grafana's files: its syntax and its shape. Pure. */
import { z } from 'zod';
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import { findingAt, mistakesOf, readSource, valuesOf } from '../../provisioning/source.ts';
import { nearest } from '../../validation/messages.ts';

export type Told = Pick<ProvisioningFinding, 'rule' | 'verdict' | 'title' | 'detail'>;
export type At = (path: readonly PropertyKey[], told: Told) => ProvisioningFinding;

export interface Read<T> {
  file: string;
  findings: ProvisioningFinding[];
  /** Absent when it does not have the shape. */
  value?: T;
  /** A finding at a place in the file. */
  at: At;
}

/**
 * @param file its name, for the findings
 * @param text YAML, of which JSON is a part
 * @param ignores what becomes of members that the shape does not have; undefined: nothing is said of them
 */
export function readShape<T>(file: string, text: string, schema: z.ZodType<T>, ignores?: string): Read<T> {
  const source = readSource(file, text);
  const at: At = (path, told) =>
    Array.isArray(source)
      ? { ...told, file, pointer: '', line: 1, column: 1, endLine: 1, endColumn: 1 }
      : findingAt(source, path, told);
  if (Array.isArray(source)) {
    return { file, findings: source, at };
  }
  let values: unknown;
  try {
    values = valuesOf(source);
  } catch (error) {
    const detail = `${(error as Error).message}.`;
    return { file, at, findings: [at([], { rule: 'yaml', verdict: 'error', title: 'Invalid YAML', detail })] };
  }
  const result = schema.safeParse(values);
  const findings = (result.error?.issues ?? []).flatMap((issue) => mistakesOf(issue, source, schema));
  if (ignores !== undefined) {
    findings.push(
      ...unknownMembers(schema, values).map(({ path, known }) => {
        const name = String(path.at(-1));
        const meant = nearest(name, known);
        const advice = meant === undefined ? `Known are ${known.join(', ')}.` : `Did you mean "${meant}"?`;
        const told = { rule: 'unknown-member', verdict: 'warning', title: 'Unknown member' } as const;
        return findingAt(source, path, { ...told, detail: `${ignores} "${name}". ${advice}` }, 'key');
      })
    );
  }
  return { file, findings, at, ...(result.success && { value: result.data }) };
}

interface Unknown {
  path: PropertyKey[];
  known: string[];
}

/** What stands in a value and not in its schema. */
function unknownMembers(schema: z.ZodType, value: unknown, path: PropertyKey[] = []): Unknown[] {
  const at = unwrapped(schema);
  if (at instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((item, index) => unknownMembers(at.element as z.ZodType, item, [...path, index]));
  }
  if (!(at instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [];
  }
  const shape = at.shape as Record<string, z.ZodType>;
  return Object.entries(value).flatMap(([key, member]) => {
    const inner = Object.hasOwn(shape, key) ? shape[key] : undefined;
    return inner === undefined
      ? [{ path: [...path, key], known: Object.keys(shape) }]
      : unknownMembers(inner, member, [...path, key]);
  });
}

function unwrapped(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema;
}
