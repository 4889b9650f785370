/** The words of a notification of Gatus. */
import type { GatusWebhook } from '../../contract/gatusWebhook.ts';
import type { Status } from '../../contract/notification.ts';
import { codeSpan, textOf } from './read.ts';

/** Gatus leaves a placeholder in place when it has nothing to put there. */
const UNFILLED = /^\[(?:RESULT_ERRORS|RESULT_CONDITIONS|ALERT_DESCRIPTION)\]$/;
/** The value of the first condition: a placeholder of the real system's notifier, found in alert descriptions. */
const CONDITION_VALUE = '[CONDITION_VALUE]';

/** The description, then what Gatus found, then what was lost on the way. */
export function bodyOfGatus(body: GatusWebhook, status: Status | undefined, lost: readonly string[]): string {
  const errors = filled(body.gatus?.errors) ?? filled(body.errors);
  const conditions = filled(body.gatus?.conditions);
  const description = filled(body.body)?.replaceAll(CONDITION_VALUE, conditionValue(conditions) ?? 'unknown');
  // What is over needs no proof; while it lasts, the reader wants to see what failed.
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
