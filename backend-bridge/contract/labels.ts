/** Labels of a notification: those of an alert, or of its sender. */
import { z } from 'zod';
import { boolean, component, list, string } from './schema.ts';
import { LIMITS } from './limits.ts';
import type { Labels } from './matchers.ts';
import { fitsBytes, grouped, isStorable } from './text.ts';

const { labels: MOST, labelNameBytes: NAME, labelValueBytes: VALUE } = LIMITS;

const NAME_RULE = `a name of 1 to ${NAME.value} bytes of UTF-8`;
const VALUE_RULE = `a value of at most ${grouped(VALUE.value)} bytes of UTF-8`;
const COUNT_RULE = `at most ${MOST.value} labels`;

const isName = (name: string): boolean => name !== '' && fitsBytes(name, NAME.value) && isStorable(name);
const isValue = (value: string): boolean => fitsBytes(value, VALUE.value) && isStorable(value);

/** Labels as a sender sends them. */
export const labelsSchema = z.record(z.string(), z.string()).superRefine((labels, context) => {
  const entries = Object.entries(labels);
  const report = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', message, path });
  if (entries.length > MOST.value) {
    report(COUNT_RULE);
    return;
  }
  for (const [name, value] of entries) {
    if (!isName(name)) {
      report(NAME_RULE, name);
    } else if (!isValue(value)) {
      report(VALUE_RULE, name);
    }
  }
});

export const labelsQuerySchema = z.strictObject({
  name: string('Values of this label. Default: names of labels.').max(NAME.value).optional(),
  prefix: string('Only those that begin with this text.').max(VALUE.value).optional(),
});

export const labelListSchema = component('LabelList', 'Names of labels, or values of one.', {
  texts: list(`Names or values, by code point: at most ${LIMITS.listedLabels.value}.`, z.string()),
  more: boolean('There are more; a longer prefix lists them.'),
});

/**
 * Labels that can be stored, of those that were sent: in their order, without empty ones, which count as absent. Numbers and flags become
 * texts.
 * @returns also the number of those that were left out
 */
export function fitLabels(labels: Readonly<Record<string, unknown>>): { labels: Labels; omitted: number } {
  const given = Object.entries(labels).filter(([, value]) => value !== '' && value !== null && value !== undefined);
  const texts = given.flatMap(([name, value]): [string, string][] => {
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    return typeof text === 'string' && isName(name) && isValue(text) ? [[name, text]] : [];
  });
  const kept = texts.slice(0, MOST.value);
  return { labels: Object.fromEntries(kept), omitted: given.length - kept.length };
}
