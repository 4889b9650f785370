/** Texts of messages. Pure. */
import { OWN_PACKAGE, PRIORITY_WORDS } from '../../../../contract/notification.ts';
import { isoTime } from '../../../../contract/text.ts';
import type { Message } from './channel.ts';

/** A message of the bridge itself. @param at UTC milliseconds */
export const ownMessage = (
  own: Pick<Message, 'title' | 'body' | 'key'> & Partial<Pick<Message, 'correlationId' | 'count' | 'priority'>>,
  at: number
): Message => ({
  id: 0,
  timestamp: isoTime(at),
  category: 'other',
  dnpName: OWN_PACKAGE,
  priority: 'low',
  status: 'triggered',
  correlationId: own.key,
  ref: undefined,
  ...own,
});

/** `Resolved: Disk full`; `Critical: Disk full`; or by the template of the channel. */
export function titleOf({ title, priority, status, count, rendered }: Message): string {
  if (rendered?.title !== undefined) {
    return rendered.title;
  }
  if (count !== undefined) {
    return title;
  }
  return `${status === 'resolved' ? 'Resolved' : PRIORITY_WORDS[priority]}: ${oneLine(title)}`;
}

/** The body, what is known of the alert, and where it comes from; or the text by the template of the channel. */
export function linesOf({ body, lastedMs, dnpName, category, count, rendered }: Message): string[] {
  if (rendered?.body !== undefined) {
    return [rendered.body];
  }
  const lasted = lastedMs === undefined ? [] : [`Fired and resolved, ${durationText(lastedMs)}.`];
  const from = count === undefined ? [`${dnpName} · ${category}`] : [];
  return [...lasted, ...(body === '' ? [] : [body]), ...from];
}

/** The address of the link, if it works outside of the page. */
export const linkOf = ({ callToAction }: Message): { title: string; url: string } | undefined =>
  callToAction && /^https?:\/\//i.test(callToAction.url) ? callToAction : undefined;

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** `40 s`, `2 h 5 min`: the two largest units. */
export function durationText(ms: number): string {
  let rest = Math.max(0, Math.round(ms / 1000));
  const parts: string[] = [];
  for (const [unit, seconds] of UNITS) {
    const count = Math.floor(rest / seconds);
    rest -= count * seconds;
    if (count > 0) {
      parts.push(`${count} ${unit}`);
    }
  }
  return parts.slice(0, 2).join(' ') || '0 s';
}

/** Control characters, line breaks included, become spaces. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** At most `max` UTF-16 code units, no half character at the end. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

const MAX_DETAIL = 200;

/** The error message of a service, as part of a reason. Secrets are masked before it is cut, which could leave a part of one. */
export function maskedDetail(text: string, ...secrets: ReadonlyArray<string | undefined>): string {
  const masked = secrets.reduce<string>((rest, secret) => (secret ? rest.replaceAll(secret, '…') : rest), text);
  return cut(oneLine(masked), MAX_DETAIL).replace(/\.$/, '');
}

/** At most `max` bytes of UTF-8. */
export function cutBytes(text: string, max: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= max) {
    return text;
  }
  let end = max - 3;
  while ((bytes[end]! & 0xc0) === 0x80) {
    end -= 1;
  }
  return `${bytes.toString('utf8', 0, end)}…`;
}
