/** Reading a sender's JSON leniently, and saying everything that is wrong with it at once. */
import { fitLabels } from './labels.ts';
import { LIMITS } from './limits.ts';
import {
  DEFAULTS,
  type IgnoredMember,
  type NotificationPayload,
  PAYLOAD_MEMBERS,
  payloadSchema,
  SET_BY_BRIDGE,
} from './notification.ts';
import { type ProblemError, toProblemError, toProblemErrors } from './problem.ts';
import { cleanJson, ellipsize, findBadText, fitsBytes, isObject, show } from './text.ts';

/** A payload that was understood: the known members, and the others as they came. */
export interface ReadPayload {
  payload: NotificationPayload;
  /** Members that are not part of the payload; kept, never shown. Undefined when there are none. */
  extra: Record<string, unknown> | undefined;
  /** Members that were changed or left out. Undefined: none. */
  ignored?: IgnoredMember[];
}

/** The payload, or all errors in it; never both. */
export type PayloadReading = { ok: true; value: ReadPayload } | { ok: false; errors: ProblemError[] };

const LOWER_CASE = new Set(['priority', 'status']);

/**
 * Real senders are looser than the specification's table: they leave members out, send them empty, or spell them in
 * capitals. Empty and null optional members count as left out; `isBanner` may be text.
 */
function lenient(raw: Record<string, unknown>): {
  known: Record<string, unknown>;
  extra: Record<string, unknown> | undefined;
  ignored: IgnoredMember[];
} {
  const ignored: IgnoredMember[] = [];
  const known: Record<string, unknown> = {};
  let extra: [string, unknown][] | undefined;
  for (const [key, value] of Object.entries(raw)) {
    if (!PAYLOAD_MEMBERS.has(key)) {
      if (!SET_BY_BRIDGE.has(key)) {
        (extra ??= []).push([key, value]);
      }
    } else if (key === 'title' || key === 'body') {
      known[key] = value;
    } else if (value !== null && value !== '') {
      known[key] = readMember(key, value);
      if (known[key] === undefined) {
        ignored.push({ pointer: `/${key}`, reason: 'Has neither title nor url. The button was left out.' });
      }
    }
  }
  return { known, extra: extra && Object.fromEntries(extra), ignored };
}

function readMember(key: string, value: unknown): unknown {
  if (LOWER_CASE.has(key) && typeof value === 'string') {
    return value.trim().toLowerCase();
  }
  if (key === 'isBanner' && typeof value === 'string') {
    const word = value.trim().toLowerCase();
    return word === 'true' ? true : word === 'false' ? false : value;
  }
  if (key === 'callToAction' && isObject(value) && !value.title && !value.url) {
    return undefined;
  }
  return value;
}

/**
 * Reads one payload.
 * @param raw a parsed JSON value of any shape
 * @returns the payload, or every mistake in it; never throws
 */
export function readPayload(raw: unknown): PayloadReading {
  if (!isObject(raw)) {
    const allowed = 'a JSON object with at least "title" and "body"';
    return { ok: false, errors: [{ pointer: '#', found: show(raw), allowed, detail: `Send ${allowed}.` }] };
  }
  const badText = findBadText(raw);
  if (badText.length > 0) {
    return { ok: false, errors: badText };
  }
  const { known, extra, ignored } = lenient(raw);
  const result = payloadSchema.safeParse(known);
  return result.success
    ? { ok: true, value: { payload: result.data, extra, ...(ignored.length > 0 && { ignored }) } }
    : { ok: false, errors: toProblemErrors(result.error, raw) };
}

/** A title or body with at least one visible character. */
const hasText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/**
 * Reads one payload so that nothing with a title or a text is lost: other members that are wrong are replaced by their
 * defaults or left out, and listed in `ignored`.
 * @param raw a parsed JSON value of any shape
 * @param shorten a name that is too long; the same for the same name, so that a resolve finds its thread
 * @returns the payload, or the errors of {@link readPayload} where neither title nor body has text; never throws
 */
export function readUsablePayload(raw: unknown, shorten: (name: string) => string): PayloadReading {
  const strict = readPayload(raw);
  if (strict.ok || !isObject(raw)) {
    return strict;
  }
  const { value, changes } = cleanJson(raw);
  const { known, extra, ignored } = lenient(value as Record<string, unknown>);
  if (!hasText(known.title) && !hasText(known.body)) {
    return strict;
  }
  const repaired = { ...known };
  const issues = payloadSchema.safeParse(known).error?.issues ?? [];
  for (const [member, mistakes] of Map.groupBy(issues, ({ path }) => String(path[0]))) {
    // An address that is wrong leaves nothing to repair the words for.
    const mistake = mistakes.at(-1)!;
    const { allowed, pointer } = toProblemError(mistake, mistake.path, value);
    const repair = repairOf(member, known, mistake.path, shorten);
    repaired[member] = repair.value;
    // Without the value: it is stored and shown, and may be a secret.
    ignored.push({ pointer, reason: `Must be ${allowed}. ${repair.done}` });
  }
  const result = payloadSchema.safeParse(repaired);
  if (!result.success) {
    return strict;
  }
  const listed = [...ignored, ...changes]
    .slice(0, LIMITS.listedChanges.value)
    .map(({ pointer, reason }) => ({ pointer: ellipsize(pointer, LIMITS.problemText.value), reason }));
  return { ok: true, value: { payload: result.data, extra, ignored: listed } };
}

interface Repair {
  /** Undefined: left out. */
  value?: unknown;
  /** A sentence: what is stored instead. */
  done: string;
}

const LEFT_OUT: Record<string, string> = {
  category: `Stored as "${DEFAULTS.category}".`,
  dnpName: 'Stored under the default package.',
  priority: `Stored as "${DEFAULTS.priority}".`,
  status: 'Stored as an event, which opens and resolves nothing.',
  correlationId: 'Stored in a thread of its own.',
  isBanner: 'Stored as false.',
  node: 'Stored without a node.',
  resolveAfter: 'The thread does not resolve without news.',
};

function repairOf(
  member: string,
  known: Record<string, unknown>,
  [, inner]: readonly PropertyKey[],
  shorten: (name: string) => string
): Repair {
  const value = known[member];
  switch (member) {
    case 'title':
      return { value: firstLine(String(known.body)), done: 'The first line of the body is the title.' };
    case 'body':
      return bodyOf(value);
    case 'callToAction':
      return isObject(value) && inner === 'title' ? linkOf(value) : { done: 'The button was left out.' };
    case 'labels':
      return isObject(value)
        ? { value: fitLabels(value).labels, done: 'Left out, or stored as text.' }
        : { done: 'Stored without labels.' };
    case 'category':
    case 'dnpName':
    case 'correlationId':
      if (typeof value === 'string') {
        return { value: shorten(value), done: 'Shortened, with a hash of the whole.' };
      }
      // In a thread of its own, an alert would never be resolved.
      return member === 'correlationId' && typeof value === 'number'
        ? { value: String(value), done: 'Stored as text.' }
        : { done: LEFT_OUT[member]! };
    default:
      return { done: LEFT_OUT[member] ?? 'Left out.' };
  }
}

/** The first line without the Markdown of a heading or a quote. */
function firstLine(body: string): string {
  const [line = ''] = body.trim().split(/[\r\n]/, 1);
  return ellipsize(line.replace(/^(?:[#>]+\s+)+/, ''), LIMITS.titleBytes.value);
}

/** A body that is no text may still say what happened. */
function bodyOf(value: unknown): Repair {
  if (value === undefined || value === null) {
    return { value: '', done: 'Stored without text.' };
  }
  const json = JSON.stringify(value);
  return { value: typeof value === 'object' ? `\`\`\`json\n${json}\n\`\`\`` : json, done: 'Stored as JSON.' };
}

function linkOf({ title, url }: Record<string, unknown>): Repair {
  const { value: bytes } = LIMITS.linkTitleBytes;
  return hasText(title) && !fitsBytes(title, bytes)
    ? { value: { title: ellipsize(title, bytes), url }, done: 'Cut.' }
    : { value: { title: 'Open', url }, done: 'The button says "Open".' };
}
