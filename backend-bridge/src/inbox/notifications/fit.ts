/**
 * Brings what a monitor sent within the limits of a notification. An alert is never
 * lost for a long label, so its names are shortened and what is decoration is left out, with a note.
 */
import { createHash } from 'node:crypto';
import { LIMITS } from '../../../contract/limits.ts';
import type { NotificationPayload } from '../../../contract/notification.ts';
import { cutBytes, ellipsize, fitsBytes } from '../../../contract/text.ts';
import type { Incoming } from './receive.ts';

const HASH_CHARACTERS = 16;
const ELLIPSIS = '…';

/**
 * A name within its limit: its beginning and a hash of the whole, so that the same name is shortened to the same name, and
 * other names to others.
 */
export function shortName(name: string): string {
  if (fitsBytes(name, LIMITS.nameBytes.value)) {
    return name;
  }
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_CHARACTERS);
  return `${cutBytes(name, LIMITS.nameBytes.value - Buffer.byteLength(ELLIPSIS) - HASH_CHARACTERS)}${ELLIPSIS}${hash}`;
}

/**
 * @param incoming with links that were read by `firstSafeLink`
 * @param note receives what was changed
 */
export function fitIncoming(incoming: Incoming, note: (text: string) => void): Incoming {
  const extra = fitExtra(incoming.extra, note);
  return { ...incoming, payload: fitPayload(incoming.payload, note), ...(extra && { extra }) };
}

const NAMES = ['category', 'dnpName', 'correlationId'] as const;

function fitPayload(payload: NotificationPayload, note: (text: string) => void): NotificationPayload {
  const { callToAction, icon, ...rest } = payload;
  const fitted: NotificationPayload = rest;
  for (const name of NAMES) {
    const given = payload[name];
    const short = given === undefined ? undefined : shortName(given);
    if (short !== undefined && short !== given) {
      fitted[name] = short;
      note(`"${name}" is longer than ${LIMITS.nameBytes.value} bytes; shortened`);
    }
  }
  if (callToAction) {
    fitted.callToAction = { ...callToAction, title: ellipsize(callToAction.title, LIMITS.linkTitleBytes.value) };
  }
  if (icon !== undefined && fitsBytes(icon, LIMITS.iconAddressBytes.value)) {
    fitted.icon = icon;
  } else if (icon !== undefined) {
    note(`"icon" is longer than ${LIMITS.iconAddressBytes.value} bytes; left out`);
  }
  return fitted;
}

/** Members that are kept and never shown, without the largest where they are too long together. */
export function fitExtra(
  extra: Record<string, unknown> | undefined,
  note: (text: string) => void
): Record<string, unknown> | undefined {
  if (extra === undefined || jsonBytes(extra) <= LIMITS.extraBytes.value) {
    return extra;
  }
  const fitted = smallestOf(extra, LIMITS.extraBytes.value);
  note(
    `members beside the notification's own are longer than ${LIMITS.extraBytes.value} bytes; the largest are left out`
  );
  return fitted.value;
}

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** The smallest members, as many as fit; of a member that is an object and does not fit, the smallest of its own. */
function smallestOf(object: object, bytes: number): { value: Record<string, unknown>; bytes: number } {
  const members = Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({ name, value: value as unknown, bytes: jsonBytes(name) + jsonBytes(value) + 2 }))
    .sort((a, b) => a.bytes - b.bytes);
  const kept: [string, unknown][] = [];
  let used = 2;
  for (const { name, value, bytes: own } of members) {
    const left = bytes - used;
    if (own <= left) {
      kept.push([name, value]);
      used += own;
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value) && jsonBytes(name) + 4 <= left) {
      const inner = smallestOf(value, left - jsonBytes(name) - 2);
      kept.push([name, inner.value]);
      used += inner.bytes + jsonBytes(name) + 2;
    }
  }
  return { value: Object.fromEntries(kept), bytes: used };
}
