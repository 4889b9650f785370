/** A body of Gatus' custom alert provider as a notification. */
import { gatusWebhookSchema, type GatusWebhook } from '../../contract/gatusWebhook.ts';
import type { NotificationPayload, Status } from '../../contract/notification.ts';
import type { ProblemError } from '../../contract/problem.ts';
import { toProblemErrors } from '../../contract/readPayload.ts';
import { show } from '../../contract/text.ts';
import { locateSyntaxError } from '../http/jsonMistake.ts';
import type { Incoming } from '../notifications/receive.ts';
import { addNote, cleanJson } from './clean.ts';
import { bodyOfGatus } from './gatusWords.ts';
import { readGatusText } from './gatusRead.ts';
import { readPriority } from './priority.ts';
import { firstSafeLink, isTrue, textOf, type Reading } from './read.ts';

export interface ReadGatus {
  incoming: Incoming;
  notes: string[];
}

/**
 * What ALERT_TRIGGERED_OR_RESOLVED may be mapped to in Gatus. Another word is kept as an event, which is shown but never
 * counts as open: taken as a trigger, the end of an alert would open it for ever.
 */
const STATUS_OF: ReadonlyMap<string, Status> = new Map([
  ...[
    'triggered',
    'firing',
    'alerting',
    'alert',
    'down',
    'failing',
    'failed',
    'unhealthy',
    'problem',
    'error',
    'critical',
  ].map((word) => [word, 'triggered'] as const),
  ...['resolved', 'ok', 'up', 'passing', 'healthy', 'recovered', 'recovery', 'closed', 'good', 'success'].map(
    (word) => [word, 'resolved'] as const
  ),
]);

/** @param text the body as it came */
export function fromGatus(text: string): Reading<ReadGatus> {
  const read = readGatusText(text);
  const { value, notes: cleaned } = cleanJson(read.value);
  const result = gatusWebhookSchema.safeParse(value);
  if (!result.success) {
    const errors = toProblemErrors(result.error, value);
    return { ok: false, errors: read.broken ? [notReadable(text, read.broken)] : errors };
  }
  const title = textOf(result.data.title) ?? textOf(result.data.gatus?.endpoint);
  if (title === undefined) {
    return { ok: false, errors: [read.broken ? notReadable(text, read.broken) : noTitle(result.data)] };
  }
  const notes = [...read.notes, ...cleaned];
  const payload = toPayload(result.data, title, read.lost, notes);
  return { ok: true, value: { incoming: { payload, extra: extraOf(result.data), source: 'gatus' }, notes } };
}

function toPayload(body: GatusWebhook, title: string, lost: string[], notes: string[]): NotificationPayload {
  const { priority, unknown } = readPriority(body.priority);
  if (unknown !== undefined) {
    addNote(notes, `the priority ${show(unknown)} is not known; taken as ${priority}`);
  }
  const status = statusOf(body.status, notes);
  const link = firstSafeLink([[textOf(body.callToAction?.title) ?? 'Open', body.callToAction?.url]], notes);
  const icon = firstSafeLink([['', body.icon]], notes)?.url;
  const category = textOf(body.category) ?? textOf(body.gatus?.group);
  const dnpName = textOf(body.dnpName);
  const correlationId = textOf(body.correlationId) ?? threadOf(body);
  return {
    title,
    body: bodyOfGatus(body, status, lost),
    priority,
    isBanner: isTrue(body.isBanner),
    ...(status && { status }),
    ...(category && { category }),
    ...(dnpName && { dnpName }),
    ...(correlationId && { correlationId }),
    ...(link && { callToAction: link }),
    ...(icon && { icon }),
  };
}

function statusOf(word: string | null | undefined, notes: string[]): Status | undefined {
  const given = textOf(word);
  const status = given && STATUS_OF.get(given.toLowerCase());
  if (given !== undefined && !status) {
    addNote(
      notes,
      `the status ${show(given)} is not known, so this neither opens nor closes a thread; send TRIGGERED or RESOLVED`
    );
  }
  return status || undefined;
}

/** The same for TRIGGERED and RESOLVED of an endpoint. */
function threadOf({ gatus }: GatusWebhook): string | undefined {
  const endpoint = textOf(gatus?.endpoint);
  return endpoint && `${textOf(gatus?.group) ?? ''}_${endpoint}`;
}

/** What is not a member of a notification: kept, never shown. */
function extraOf(body: GatusWebhook): Record<string, unknown> | undefined {
  const extra = Object.entries(body).filter(
    ([name]) => name === 'gatus' || name === 'errors' || !(name in gatusWebhookSchema.shape)
  );
  return extra.length > 0 ? Object.fromEntries(extra) : undefined;
}

const ALLOWED = 'the recommended body (GATUS_BODY), which holds at least "title" or "gatus.endpoint"';

function noTitle(body: GatusWebhook): ProblemError {
  const detail = 'Nothing says what this is about: there is neither a "title" nor a "gatus.endpoint".';
  return {
    pointer: '/title',
    found: show(body.title ?? undefined),
    allowed: 'text with at least one visible character',
    detail,
  };
}

function notReadable(text: string, error: unknown): ProblemError {
  const mistake = locateSyntaxError(text, error);
  const detail = `${mistake.message} Neither a "title" nor a "gatus.endpoint" could be recovered from it: use ${ALLOWED}.`;
  return { pointer: '#', found: mistake.errors[0]?.found ?? 'no JSON', allowed: ALLOWED, detail };
}
