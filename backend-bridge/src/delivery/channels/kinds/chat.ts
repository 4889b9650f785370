/** Common code of chat services: the parts of a message, links, errors, and messages that are changed. */
import { z } from 'zod';
import type { OutboundAnswer } from '../../../platform/http/outbound.ts';
import type { Message, MessageAction, Outcome } from './channel.ts';
import { jsonOf, outcomeOfStatus } from './http.ts';
import { cut, linesOf, linksOf, maskedDetail, oneLine, titleOf } from './text.ts';

const MARKS = { low: '🔵', medium: '🟡', high: '🟠', critical: '🔴' } as const;
const MAX_FROM = 300;
const MAX_LINKS = 5;
/** Longer ones are left out: services reject the whole message. */
const MAX_URL = 2000;

/** A circle in the colour of the priority, or a check mark. */
export const markOf = ({ priority, status }: Message): string => (status === 'resolved' ? '✅' : MARKS[priority]);

/** The title, the text, and its package and category, which are not cut off with the text. Each may be empty but the title. */
export function partsOf(message: Message): { title: string; text: string; from: string } {
  const lines = linesOf(message);
  const hasFrom = message.count === undefined && message.rendered?.body === undefined;
  const from = hasFrom ? (lines.pop() ?? '') : '';
  return {
    title: `${markOf(message)} ${oneLine(titleOf(message))}`,
    text: lines.join('\n\n').replaceAll(/\r\n?/g, '\n').trim(),
    from: cut(oneLine(from), MAX_FROM),
  };
}

/** {@link linksOf} for buttons and Markdown. Addresses are percent-encoded so that they end no markup. */
export const chatLinks = (message: Message): MessageAction[] =>
  linksOf(message)
    .map(({ label, url }) => ({ label: cut(label, 75) || 'Open', url: encodedUrl(url) }))
    .filter(({ url }) => url.length <= MAX_URL)
    .slice(0, MAX_LINKS);

const encodedUrl = (url: string): string =>
  (URL.parse(url)?.href ?? url).replaceAll(
    /[\s"'()<>[\\\]^`{|}*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  );

/** The links in Markdown, in one line. @param room characters; links that do not fit are left out */
export function markdownLinks(message: Message, escape: (label: string) => string, room: number): string {
  return chatLinks(message).reduce((line, { label, url }) => {
    const longer = `${line}${line === '' ? '' : ' · '}[${escape(label)}](${url})`;
    return longer.length <= room ? longer : line;
  }, '');
}

/** The text, cut where it does not fit. @param fits whether a shorter one does, if a longer one does */
export function cutToFit(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) {
    return text;
  }
  let fitting = 1;
  let tooLong = text.length;
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2);
    if (fits(cut(text, middle))) {
      fitting = middle;
    } else {
      tooLong = middle;
    }
  }
  return cut(text, fitting);
}

/** Cut before it is escaped, so that no escape is. @param max length when escaped */
export const escapedWithin = (text: string, max: number, escape: (text: string) => string): string =>
  escape(cutToFit(text, (shorter) => escape(shorter).length <= max));

const TAGS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
export const escapeTags = (text: string): string => text.replaceAll(/[&<>]/g, (one) => TAGS[one]!);

/** Invisible. After `@`, it ends the mention. */
export const BREAK = '\u200b';

/** Changes the message of the thread. Where that is refused, because somebody has deleted it or it is too old, a new message. */
export async function editedOrSent(
  { ref, onlyEdit }: Pick<Message, 'ref' | 'onlyEdit'>,
  edit: (ref: string) => Promise<Outcome>,
  send: () => Promise<Outcome>
): Promise<Outcome> {
  if (ref !== undefined && ref !== '') {
    const edited = await edit(ref);
    if (edited.kind !== 'refused' || onlyEdit) {
      return edited.kind === 'delivered' ? { kind: 'delivered', ref } : edited;
    }
  }
  return send();
}

interface Service {
  /** In reasons. */
  service: string;
  /** From a response below 300: what is needed to change the message, empty if it cannot; undefined: it is not one of the service. */
  refOf: (answer: OutboundAnswer) => string | undefined;
  secrets: ReadonlyArray<string | undefined>;
  /** UTC milliseconds. */
  now: number;
}

const errorSchema = z.looseObject({
  error: z
    .union([z.string(), z.looseObject({ message: z.string() }).transform(({ message }) => message)])
    .optional()
    .catch(undefined),
  message: z.string().optional().catch(undefined),
  /** Discord: seconds. */
  retry_after: z.number().optional().catch(undefined),
});

/** The outcome of a request, with what the service says in `error`, `error.message` or `message`. */
export function outcomeOfChat(answer: OutboundAnswer, { service, refOf, secrets, now }: Service): Outcome {
  const { error, message, retry_after: seconds } = errorSchema.safeParse(jsonOf(answer)).data ?? {};
  const outcome = outcomeOfStatus(answer, now, maskedDetail(error ?? message ?? '', ...secrets));
  if (outcome.kind !== 'delivered') {
    return outcome.kind === 'retry' && seconds !== undefined
      ? { ...outcome, afterMs: Math.ceil(seconds * 1000) }
      : outcome;
  }
  const ref = refOf(answer);
  return ref === undefined
    ? { kind: 'retry', reason: `The response is not one of ${service}.` }
    : { kind: 'delivered', ref };
}

/** For {@link Service.refOf} of webhooks that respond with `ok`. */
export const isOk = ({ body }: OutboundAnswer): '' | undefined =>
  body.toString('utf8').trim() === 'ok' ? '' : undefined;

/** Secret parts of addresses, those of the webhook and of the actions of a message; longest first. */
export const urlSecrets = (url: string, { actions = [] }: Pick<Message, 'actions'> = {}): string[] =>
  [url, ...actions.map((action) => action.url)]
    .flatMap(partsOfUrl)
    .filter((part) => part.length >= 12)
    .sort((one, other) => other.length - one.length);

function partsOfUrl(url: string): string[] {
  const { href, pathname, search, searchParams } = new URL(url);
  const parts = [...pathname.split('/'), ...search.split(/[?&=]/), ...searchParams.values()];
  return [url, href, `${pathname}${search}`, ...parts];
}

/** The address of a webhook with another path or query. */
export function changedUrl(url: string, path: string, query: Record<string, string>): string {
  const changed = new URL(url);
  changed.pathname = `${changed.pathname.replace(/\/$/, '')}${path}`;
  Object.entries(query).forEach(([key, value]) => changed.searchParams.set(key, value));
  return changed.href;
}
