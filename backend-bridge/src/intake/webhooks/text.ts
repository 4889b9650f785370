/** Shared by the readers of webhooks: their results, and the rules for text, links and notes. */
import { createHash } from 'node:crypto';
import { LIMITS } from '../../../contract/limits.ts';
import type { NotificationPayload } from '../../../contract/notification.ts';
import type { ProblemError } from '../../../contract/problem.ts';
import { cleanJson as cleanContractJson, fitsBytes, safeLink, show } from '../../../contract/text.ts';
import type { Incoming } from '../../inbox/notifications/receive.ts';

/** A parsed alert. */
export interface ReadAlert {
  incoming: Incoming;
  fingerprint: string;
  /** Start and end of its firing period, UTC milliseconds; undefined: unknown. */
  startsAt: number | undefined;
  endsAt: number | undefined;
  status: 'firing' | 'resolved';
}

/** A parsed body of Grafana or Alertmanager. */
export interface ReadGroup {
  /** In the order to store them. */
  alerts: ReadAlert[];
  /** Notifications in addition to the alerts: some were left out, or a thread is still open. */
  notices: Incoming[];
  /** Acknowledges the thread of this one, which is not stored. */
  acknowledges?: Incoming;
  /** Alerts that the monitor had left out. */
  truncated: number;
  notes: string[];
}

export type Reading<T> = { ok: true; value: T } | { ok: false; errors: ProblemError[] };

/** Trimmed text; undefined if it is empty, or no text. */
export function textOf(value: unknown): string | undefined {
  const trimmed = typeof value === 'string' ? value.trim() : undefined;
  return trimmed === '' ? undefined : trimmed;
}

/** A short, deterministic hash. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/**
 * Text as a Markdown code span, so that `*` and `_` in it are literal.
 * Source: CommonMark 0.31, section 6.1: the fence is longer than any run of backticks inside.
 */
export function codeSpan(text: string): string {
  const line = text.replace(/\s*[\r\n]+\s*/g, ' ');
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^`|`$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A JSON value as a fenced code block. */
export const jsonBlock = (value: unknown): string => codeBlock(JSON.stringify(value, null, 2), 'json');

/** Lines as a fenced code block (CommonMark 0.31, section 4.5). */
export function codeBlock(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** The first safe link; others are dropped with a note. */
export function firstSafeLink(
  links: readonly (readonly [title: string, url: string | null | undefined])[],
  notes: string[]
): NotificationPayload['callToAction'] {
  for (const [title, url] of links) {
    const given = textOf(url);
    if (given !== undefined && !fitsBytes(given, LIMITS.linkBytes.value)) {
      addNote(notes, `the link ${show(given)} was left out: it is longer than ${LIMITS.linkBytes.value} bytes`);
      continue;
    }
    const safe = given === undefined ? undefined : safeLink(given);
    if (safe !== undefined) {
      return { title, url: safe };
    }
    if (given !== undefined) {
      addNote(notes, `the link ${show(given)} was left out: only http:, https: and paths are allowed`);
    }
  }
  return undefined;
}

/** "true", in any case, or true. */
export function isTrue(value: string | boolean | null | undefined): boolean {
  return value === true || (typeof value === 'string' && value.trim().toLowerCase() === 'true');
}

export interface Cleaned {
  value: unknown;
  /** Changes, one note per place; at most {@link MAX_NOTES}. */
  notes: string[];
}

export const MAX_NOTES = LIMITS.listedChanges.value;

/** A monitor copies texts of hosts, and an alert must not be lost for a character. */
export function cleanJson(raw: unknown): Cleaned {
  const { value, changes } = cleanContractJson(raw);
  return { value, notes: changes.map(({ pointer, reason }) => `${pointer}: ${reason}`) };
}

/**
 * Adds a note once, up to {@link MAX_NOTES}.
 * @param note a function if composing it is expensive
 */
export function addNote(notes: string[], note: string | (() => string)): void {
  if (notes.length < MAX_NOTES) {
    const text = typeof note === 'string' ? note : note();
    if (!notes.includes(text)) {
      notes.push(text);
    }
  }
}
