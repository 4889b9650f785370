/** An adapter: how one program's requests become notifications, and the response that it expects. */
import type { RequestHandler } from 'express';
import type { z } from 'zod';
import { fitLabels } from '../../../contract/labels.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { NotificationPayload } from '../../../contract/notification.ts';
import { toProblemErrors } from '../../../contract/problem.ts';
import { ellipsize } from '../../../contract/text.ts';
import type { Received } from '../../inbox/notifications/receive.ts';
import { locateSyntaxError } from '../../platform/http/jsonMistake.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import type { Steps } from '../../platform/runtime/steps.ts';
import { cleanJson, firstSafeLink, type ReadAlert, type ReadGroup, type Reading, textOf } from './text.ts';

/** A request. */
export interface Posted {
  /** Bytes that were not UTF-8 are replaced. */
  text: string;
  /** Members of a form, where the body is one. */
  form: Record<string, string> | undefined;
  /** Placeholders of the path. */
  params: Record<string, string>;
  query: URLSearchParams;
  /** Result of the mapping as JSON, if the path names one. */
  mapped?: string | undefined;
  header: (name: string) => string | undefined;
  /** An id that was not there before. */
  newId: () => string;
}

/** A request that is stored. */
export interface Stored {
  posted: Posted;
  group: ReadGroup;
  received: readonly Received[];
  /** UTC milliseconds. */
  receivedAt: number;
}

export interface Dialect {
  /** Reads the bytes of the body, and rejects requests. */
  before: readonly RequestHandler[];
  /** Before {@link read}. @param sender its `senderKey` */
  prepare?(posted: Posted, sender: string): Promise<Posted>;
  /** A pure function of the request, in steps. */
  read(posted: Posted): Steps<Reading<ReadGroup>>;
  /** Name of senders without a token. Default: open. */
  unnamed?: 'open' | 'signed';
  /** A retry is known by its bytes: see `retriesOf`. Default: by what the adapter says, or not at all. */
  retries?: 'body';
  /** `status`: 200 by default. Default: the counts of what was stored. */
  reply?(stored: Stored): { status?: number; body: unknown };
}

/** @throws HttpProblem 400 with the position */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw locateSyntaxError(text, error);
  }
}

/** Cleans a value and validates it. @param notes changes are added */
export function readAs<S extends z.ZodType>(schema: S, raw: unknown, notes: string[]): Reading<z.output<S>> {
  const { value, notes: cleaned } = cleanJson(raw);
  notes.push(...cleaned);
  const result = schema.safeParse(value);
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, errors: toProblemErrors(result.error, value) };
}

/**
 * Reads one after another, until one has errors.
 * @param isList errors name the place in the list
 * @throws HttpProblem 413
 */
export function* readEach(
  all: readonly unknown[],
  read: (raw: unknown) => Reading<ReadAlert>,
  isList: boolean
): Steps<Reading<ReadAlert[]>> {
  const { value: most } = LIMITS.webhookAlerts;
  if (all.length > most) {
    throw new HttpProblem('too-large', `Found ${all.length} in a list, allowed are ${most}. Nothing was stored.`);
  }
  const alerts: ReadAlert[] = [];
  for (const [index, raw] of all.entries()) {
    const one = read(raw);
    if (!one.ok) {
      const at = isList ? `/${index}` : '';
      const errors = one.errors.map((error) => ({ ...error, pointer: at + error.pointer.replace(/^#$/, '') || '#' }));
      return { ok: false, errors };
    }
    alerts.push(one.value);
    yield;
  }
  return { ok: true, value: alerts };
}

/** An adapter of JSON with a schema, which makes one notification of it, or none. */
export const oneOf = <S extends z.ZodType>(
  schema: S,
  toParts: (body: z.output<S>, notes: string[], posted: Posted) => Reading<Parts>
) =>
  function* (posted: Posted): Steps<Reading<ReadGroup>> {
    const notes: string[] = [];
    const read = readAs(schema, posted.form ?? parseText(posted.text), notes);
    const parts = read.ok ? toParts(read.value, notes, posted) : read;
    return parts.ok ? { ok: true, value: groupOf(parts.value, notes) } : parts;
  };

/** A notification in a program's terms; what is empty is left out. */
export interface Parts {
  title: string | null | undefined;
  body: string;
  priority?: NotificationPayload['priority'];
  status?: NotificationPayload['status'];
  correlationId?: string | undefined;
  labels?: Record<string, unknown>;
  /** The first that is safe is the button. */
  links?: (readonly [title: string, url: string | null | undefined])[];
  icon?: string | null | undefined;
  /** Acknowledges its thread, and is not stored. */
  acknowledges?: true;
  /** The request without secrets; stored, not shown. */
  extra?: Record<string, unknown>;
}

export function groupOf(parts: Parts, notes: string[]): ReadGroup {
  const one = alone(parts, notes);
  const rest = { notices: [], truncated: 0, notes };
  return parts.acknowledges ? { alerts: [], acknowledges: one.incoming, ...rest } : { alerts: [one], ...rest };
}

function alone(parts: Parts, notes: string[]): ReadGroup['alerts'][number] {
  const { title, body, priority, status, correlationId, labels = {}, links = [], icon, extra } = parts;
  const link = firstSafeLink(links, notes);
  const safeIcon = firstSafeLink([['', icon]], notes)?.url;
  const { labels: kept } = fitLabels(labels);
  const payload: NotificationPayload = {
    title: textOf(title) ?? titleFrom(body),
    body,
    ...(priority && { priority }),
    ...(status && { status }),
    ...(textOf(correlationId) !== undefined && { correlationId }),
    ...(Object.keys(kept).length > 0 && { labels: kept }),
    ...(link && { callToAction: link }),
    ...(safeIcon !== undefined && { icon: safeIcon }),
  };
  return withoutTimes({ payload, extra, source: 'webhook' });
}

/** An alert of a program that reports neither start nor end. */
export const withoutTimes = (incoming: ReadGroup['alerts'][number]['incoming']): ReadGroup['alerts'][number] => ({
  incoming,
  fingerprint: '',
  startsAt: undefined,
  endsAt: undefined,
  status: 'firing',
});

/** The first line of a text. */
function titleFrom(body: string): string {
  const [line = ''] = body.trim().split(/[\r\n]/, 1);
  return ellipsize(line, LIMITS.titleBytes.value) || 'Message without text';
}

/** The error for a member that is missing. */
export const missing = (pointer: string, allowed: string): Reading<never> => ({
  ok: false,
  errors: [
    { pointer, found: 'nothing', allowed, detail: `"${pointer.slice(1).replaceAll('/', '.')}" must be ${allowed}.` },
  ],
});
