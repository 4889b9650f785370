/** A notification as a row and a message show it: with the beginning of its texts. Pure. */
import { LIMITS } from '../../contract/limits.ts';
import type { Notification } from '../../contract/notification.ts';

const MAX_BYTES = LIMITS.eventTextBytes.value;

/** @returns the notification with each text cut to `eventTextBytes`, marked `bodyTruncated` when one was longer */
export function rowForm(notification: Notification): Notification {
  const title = beginning(notification.title);
  const body = beginning(notification.body);
  const errors = notification.errors === undefined ? undefined : beginning(notification.errors);
  const isWhole = title === notification.title && body === notification.body && errors === notification.errors;
  return isWhole
    ? notification
    : { ...notification, title, body, bodyTruncated: true, ...(errors !== undefined && { errors }) };
}

/** The longest beginning that takes at most `MAX_BYTES` of UTF-8 and ends between two code points. */
function beginning(text: string): string {
  if (text.length * 3 <= MAX_BYTES || Buffer.byteLength(text) <= MAX_BYTES) {
    return text;
  }
  // No more UTF-16 units than that can be needed, so a megabyte is not encoded to keep a kilobyte.
  const bytes = Buffer.from(text.slice(0, MAX_BYTES + 1));
  let end = MAX_BYTES;
  while (isContinuation(bytes[end])) {
    end -= 1;
  }
  return bytes.toString('utf8', 0, end);
}

/** A byte of UTF-8 that begins no code point (RFC 3629, section 3). */
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
