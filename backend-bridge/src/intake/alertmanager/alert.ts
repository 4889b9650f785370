/** Alerts as senders of Alertmanager's API v2 write them. The rules are those of its handler of `POST /alerts` and of its type `Alert`. */
import type { Labels } from '../../../contract/matchers.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { ellipsize, fitsBytes, isObject, isoTime, isStorable, show } from '../../../contract/text.ts';

/** An alert of a request. Times are UTC milliseconds. */
export interface PostedAlert {
  /** Without empty values. */
  labels: Labels;
  annotations: Labels;
  generatorURL: string;
  startsAt: number;
  /** In the past or now: it has resolved. */
  endsAt: number;
  /** The sender gave no end: `endsAt` is that of {@link RESOLVE_TIMEOUT_MS}. */
  isTimeout: boolean;
  /** See {@link bytesOf}. */
  bytes: number;
  /** A change of what was sent. */
  note?: string;
}

/** After this time without news, an alert without an end resolves: the default of Alertmanager's `resolve_timeout`. */
export const RESOLVE_TIMEOUT_MS = 5 * 60_000;

/**
 * Reads one alert.
 * @param now UTC milliseconds
 * @returns why it is invalid, as text
 */
export function readPosted(raw: unknown, now: number): PostedAlert | string {
  if (!isObject(raw)) {
    return `found ${show(raw)}; an alert is an object with "labels"`;
  }
  const labels = textMap(raw.labels, 'labels');
  const annotations = textMap(raw.annotations ?? {}, 'annotations');
  const start = time(raw.startsAt, 'startsAt');
  const end = time(raw.endsAt, 'endsAt');
  for (const found of [labels, annotations, start, end]) {
    if (typeof found === 'string') {
      return found;
    }
  }
  if (Object.keys(labels).length === 0) {
    return 'at least one label with a value is required';
  }
  const endsAt = (end as number | undefined) ?? now + RESOLVE_TIMEOUT_MS;
  const startsAt = (start as number | undefined) ?? (end === undefined ? now : endsAt);
  if (endsAt < startsAt) {
    return `endsAt ${isoTime(endsAt)} is before startsAt ${isoTime(startsAt)}`;
  }
  const fitted = fitTexts({
    labels: labels as Labels,
    annotations: annotations as Labels,
    generatorURL: typeof raw.generatorURL === 'string' && isLink(raw.generatorURL) ? raw.generatorURL : '',
  });
  if (typeof fitted === 'string') {
    return fitted;
  }
  return {
    ...fitted,
    startsAt,
    endsAt,
    isTimeout: end === undefined,
  };
}

const ELLIPSIS_BYTES = 3;

const isLink = (text: string): boolean => isStorable(text) && fitsBytes(text, LIMITS.linkBytes.value);

type Texts = Pick<PostedAlert, 'labels' | 'annotations' | 'generatorURL'>;

/** Size of the texts of an alert. */
export const bytesOf = ({ labels, annotations, generatorURL }: Texts): number =>
  [...Object.entries(labels), ...Object.entries(annotations), generatorURL]
    .flat()
    .reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** No alert is lost for its annotations: the longest are truncated. @returns why it is invalid, as text */
function fitTexts(texts: Texts): (Texts & Pick<PostedAlert, 'bytes' | 'note'>) | string {
  const { value: allowed } = LIMITS.openAlertBytes;
  const bytes = bytesOf(texts);
  if (bytes <= allowed) {
    return { ...texts, bytes };
  }
  const others = bytesOf({ ...texts, annotations: {} });
  if (others > allowed) {
    return `"labels" and "generatorURL" have ${others} bytes; allowed are ${allowed}`;
  }
  const fitted = { ...texts, annotations: truncated(texts.annotations, allowed - others) };
  return { ...fitted, bytes: bytesOf(fitted), note: `the alert has ${bytes} bytes; its annotations are truncated` };
}

function truncated(annotations: Labels, bytes: number): Labels {
  let left = bytes;
  const kept = Object.entries(annotations)
    .sort(([, a], [, b]) => a.length - b.length)
    .flatMap(([name, text]) => {
      const room = left - Buffer.byteLength(name);
      if (room < ELLIPSIS_BYTES) {
        return [];
      }
      const short = ellipsize(text, room);
      left = room - Buffer.byteLength(short);
      return [[name, short]];
    });
  return Object.fromEntries(kept) as Labels;
}

/**
 * Grafana's own Alertmanager leaves this label out before it computes the fingerprint: without it, an alert of Grafana has the same thread
 * by webhook and by API.
 */
const NAMESPACE_LABEL = '__alert_rule_namespace_uid__';

function textMap(value: unknown, name: string): Labels | string {
  if (!isObject(value)) {
    return `"${name}" must be an object of texts; found ${show(value)}`;
  }
  const entries = Object.entries(value);
  if (entries.length > LIMITS.alertLabels.value) {
    return `"${name}" has ${entries.length} members; allowed are ${LIMITS.alertLabels.value}`;
  }
  for (const [key, text] of entries) {
    if (typeof text !== 'string' || key === '' || !isStorable(key) || !isStorable(text)) {
      return `"${name}" must have names and texts that can be stored; found ${show({ [key]: text })}`;
    }
  }
  // Not by assignment, which would take `__proto__` for a prototype.
  return Object.fromEntries(
    (entries as [string, string][]).filter(([key, text]) => text !== '' && key !== NAMESPACE_LABEL)
  );
}

/** Undefined: absent, or Go's zero time, which clients send for one. */
function time(value: unknown, name: string): number | undefined | string {
  if (value === undefined || value === null || value === '') {
    return undefined;
  }
  const ms = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : NaN;
  if (Number.isNaN(ms)) {
    return `"${name}" must be a time such as 2026-11-24T08:00:00Z; found ${show(value)}`;
  }
  return ms <= 0 ? undefined : ms;
}

/** By bytes, as Go sorts. */
const byName = ([a]: [string, string], [b]: [string, string]): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** FNV-1a prime of 64 bits without its highest bit, 2^40. */
const PRIME = 0x1b3;
const TWO_32 = 2 ** 32;

/**
 * Fingerprint of labels, as Prometheus and Alertmanager compute it: FNV-1a of 64 bits over sorted names and values, each followed by 0xff
 * (prometheus/common, `model/signature.go`). An alert keeps its thread when it comes by webhook or by API.
 */
export function fingerprintOf(labels: Labels): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  const add = (byte: number): void => {
    low = (low ^ byte) >>> 0;
    const product = low * PRIME;
    high = (Math.imul(high, PRIME) + Math.floor(product / TWO_32) + (low << 8)) >>> 0;
    low = product % TWO_32;
  };
  for (const text of Object.entries(labels).sort(byName).flat()) {
    Buffer.from(text).forEach(add);
    add(0xff);
  }
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}
