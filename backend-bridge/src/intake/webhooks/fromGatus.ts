/** Converts a body of Gatus' custom alert provider to a notification. */
import { type GatusWebhook, gatusWebhookSchema } from '../../../contract/gatusWebhook.ts';
import type { NotificationPayload, Status } from '../../../contract/notification.ts';
import type { ProblemError } from '../../../contract/problem.ts';
import { toProblemErrors } from '../../../contract/problem.ts';
import { show } from '../../../contract/text.ts';
import { locateSyntaxError } from '../../platform/http/jsonMistake.ts';
import type { Incoming } from '../../inbox/notifications/receive.ts';
import type { Steps } from '../../platform/runtime/steps.ts';
import { type Posted, withoutTimes } from './dialect.ts';
import { readGatusText } from './gatusText.ts';
import { readPriority } from './priority.ts';
import { addNote, cleanJson, codeSpan, firstSafeLink, isTrue, type ReadGroup, type Reading, textOf } from './text.ts';

export interface ReadGatus {
  incoming: Incoming;
  notes: string[];
}

/**
 * Possible values of ALERT_TRIGGERED_OR_RESOLVED in Gatus. Another value makes an event, which never counts as open: treated as
 * triggered, an unknown word for resolved would keep the thread open forever.
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

/** Gatus' adapter. */
export function* fromGatusText({ text }: Pick<Posted, 'text'>): Steps<Reading<ReadGroup>> {
  const read = fromGatus(text);
  return read.ok
    ? {
        ok: true,
        value: { alerts: [withoutTimes(read.value.incoming)], notices: [], truncated: 0, notes: read.value.notes },
      }
    : read;
}

/** @param text the body as it came */
export function fromGatus(text: string): Reading<ReadGatus> {
  const read = readGatusText(text);
  const { value, notes: cleaned } = cleanJson(read.value);
  const notes = [...read.notes, ...cleaned];
  const result = gatusWebhookSchema.safeParse(withoutWrong(value, notes));
  if (!result.success) {
    const errors = toProblemErrors(result.error, value);
    return { ok: false, errors: read.broken ? [notReadable(text, read.broken)] : errors };
  }
  const title = textOf(result.data.title) ?? textOf(result.data.gatus?.endpoint);
  if (title === undefined) {
    return { ok: false, errors: [read.broken ? notReadable(text, read.broken) : noTitle(result.data)] };
  }
  const payload = toPayload(result.data, title, read.lost, notes);
  return { ok: true, value: { incoming: { payload, extra: extraOf(result.data), source: 'gatus' }, notes } };
}

/** Without the members of a wrong type: all are optional, and an alert is not lost for one. */
function withoutWrong(value: unknown, notes: string[]): unknown {
  const { error } = gatusWebhookSchema.safeParse(value);
  if (!error || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return value;
  }
  toProblemErrors(error, value).forEach(({ detail }) => addNote(notes, `${detail} Left out.`));
  const body: Record<string, unknown> = { ...value };
  for (const [name, inner] of error.issues.map(({ path }) => path.map(String))) {
    body[name!] = inner === undefined ? undefined : { ...(body[name!] as object), [inner]: undefined };
  }
  return body;
}

function toPayload(body: GatusWebhook, title: string, lost: string[], notes: string[]): NotificationPayload {
  const { priority, unknown } = readPriority(body.priority);
  if (unknown !== undefined) {
    addNote(notes, `the priority ${show(unknown)} is unknown; stored as ${priority}`);
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
      `the status ${show(given)} is unknown, so this neither opens nor closes a thread; send TRIGGERED or RESOLVED`
    );
  }
  return status || undefined;
}

/** Thread of an endpoint, the same for TRIGGERED and RESOLVED. */
function threadOf({ gatus }: GatusWebhook): string | undefined {
  const endpoint = textOf(gatus?.endpoint);
  return endpoint && `${textOf(gatus?.group) ?? ''}_${endpoint}`;
}

/** Members that notifications lack: stored, not shown. */
function extraOf(body: GatusWebhook): Record<string, unknown> | undefined {
  const extra = Object.entries(body).filter(
    ([name]) => name === 'gatus' || name === 'errors' || !(name in gatusWebhookSchema.shape)
  );
  return extra.length > 0 ? Object.fromEntries(extra) : undefined;
}

const ALLOWED = 'the recommended body (GATUS_BODY), which holds at least "title" or "gatus.endpoint"';

function noTitle(body: GatusWebhook): ProblemError {
  const detail = 'Both "title" and "gatus.endpoint" are missing.';
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

/** Gatus leaves a placeholder in place when it has nothing to put there. */
const UNFILLED = /^\[(?:RESULT_ERRORS|RESULT_CONDITIONS|ALERT_DESCRIPTION)\]$/;
/** The value of the first condition: a placeholder of DAppNode's notifier, used in alert descriptions. */
const CONDITION_VALUE = '[CONDITION_VALUE]';

/** The description, then what Gatus found, then what was lost in transit. */
function bodyOfGatus(body: GatusWebhook, status: Status | undefined, lost: readonly string[]): string {
  const errors = filled(body.gatus?.errors) ?? filled(body.errors);
  const conditions = filled(body.gatus?.conditions);
  const description = filled(body.body)?.replaceAll(CONDITION_VALUE, conditionValue(conditions) ?? 'unknown');
  const found =
    status === 'resolved' ? [] : [errors && `Errors: ${codeSpan(errors)}`, conditions && conditionList(conditions)];
  const mishap =
    lost.length > 0 && `Gatus sent this in a form that could not be read in full: ${lost.map(oneLine).join('; ')}.`;
  return [description, ...found, mishap].filter((part) => typeof part === 'string').join('\n\n');
}

function filled(value: string | null | undefined): string | undefined {
  const text = textOf(value);
  return text !== undefined && UNFILLED.test(text) ? undefined : text;
}

/** Gatus writes "❌ - `[STATUS] (500) == 200`, ✅ - `…`": one line each, the failing ones only when any fails. */
function conditionList(conditions: string): string {
  const all = conditions.split(/, (?=[✅❌] - `)/);
  const failing = all.filter((condition) => condition.startsWith('❌'));
  return (failing.length > 0 ? failing : all)
    .map((condition) => {
      const [, mark, text] = /^([✅❌]) - `(.*)`$/s.exec(condition) ?? [];
      return mark === undefined || text === undefined ? `- ${codeSpan(condition)}` : `- ${mark} ${codeSpan(text)}`;
    })
    .join('\n');
}

/** Gatus shows the value behind what it was read from: "[RESPONSE_TIME] (700) < 500"; only when the condition failed. */
function conditionValue(conditions: string | undefined): string | undefined {
  return /^❌ - `\S+ \(([^)`]*)\)/.exec(conditions ?? '')?.[1];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
