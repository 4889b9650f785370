/** Texts of messages. Pure. */
import { OWN_PACKAGE, PRIORITIES, type Priority, PRIORITY_WORDS } from '../../../../contract/notification.ts';
import { isoTime } from '../../../../contract/text.ts';
import type { ChannelSettings, Message, Outcome } from './channel.ts';

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

/** The body, what is known of the alert, and where it comes from; or the text by the template of the channel. Before it, which may be cut, who has responded. */
export function linesOf({ body, lastedMs, dnpName, category, count, rendered, response }: Message): string[] {
  const responses = response === undefined ? [] : [response];
  if (rendered?.body !== undefined) {
    return [...responses, rendered.body];
  }
  const lasted = lastedMs === undefined ? [] : [`Fired and resolved, ${durationText(lastedMs)}.`];
  const from = count === undefined ? [`${dnpName} · ${category}`] : [];
  return [...responses, ...lasted, ...(body === '' ? [] : [body]), ...from];
}

/** The address of the link, if it works outside of the page. */
export const linkOf = ({ callToAction }: Message): { title: string; url: string } | undefined =>
  callToAction && /^https?:\/\//i.test(callToAction.url) ? callToAction : undefined;

/** Adds the link to the inbox: to the thread, beside a link of the message itself. */
export function withInbox(message: Message, { inboxUrl }: Pick<ChannelSettings, 'inboxUrl'>): Message {
  if (inboxUrl === undefined) {
    return message;
  }
  const url = new URL(inboxUrl);
  if (message.id > 0) {
    url.searchParams.set('id', String(message.id));
  }
  return message.callToAction
    ? { ...message, actions: [...(message.actions ?? []), { label: 'Show', url: url.href }] }
    : { ...message, callToAction: { title: 'Open the inbox', url: url.href } };
}

/** `2026-11-26 14:00 UTC`. @param at UTC milliseconds */
export const minuteText = (at: number): string => `${isoTime(at).slice(0, 16).replace('T', ' ')} UTC`;
const MAX_LABEL = 100;

/** The link and the actions, each with a label of one line. */
export const linksOf = (message: Message): { label: string; url: string }[] => {
  const link = linkOf(message);
  const all = [...(link ? [{ label: link.title, url: link.url }] : []), ...(message.actions ?? [])];
  return all.map(({ label, url }) => ({ label: cut(oneLine(label), MAX_LABEL), url }));
};

/** For services without buttons: a text of at most `max` UTF-16 code units that ends with whole links, a line each; those that do not fit are left out. */
export function withLinks(text: string, links: readonly { label: string; url: string }[], max: number): string {
  let lines = '';
  for (const { label, url } of links) {
    const line = `\n${label}: ${url}`;
    lines += lines.length + line.length <= max / 2 ? line : '';
  }
  return cut(text, max - lines.length) + lines;
}

/** Whether a message may ring: an alert that fires with at least this priority, not an update of one that was sent. */
export const isUrgent = ({ status, priority, ref }: Message, from: Priority): boolean =>
  status !== 'resolved' && ref === undefined && PRIORITIES.indexOf(priority) >= PRIORITIES.indexOf(from);

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Text in HTML or XML, also in an attribute in double quotes. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (one) => ENTITIES[one]!);

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

/** A part of a token that names it, also where a reason was cut. Characters. */
const TOKEN_START = 12;

/** The outcome without the tokens of the message, which services may repeat in their errors. */
export function withoutTokens(outcome: Outcome, { buttons = [], actions = [] }: Message): Outcome {
  if (outcome.kind === 'delivered') {
    return outcome;
  }
  const tokens = [...buttons, ...actions].flatMap(({ token }) => token ?? []);
  const reason = tokens.reduce((text, token) => {
    const [before, ...after] = text.split(token.slice(0, TOKEN_START));
    return [before, ...after.map((rest) => rest.replace(/^[\w-]*/, ''))].join('…');
  }, outcome.reason);
  return { ...outcome, reason };
}
