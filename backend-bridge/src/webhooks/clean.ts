/**
 * An alert must not be lost because of a character that cannot be stored. A sender is told to mend its text (400); a monitor
 * copies what it found on a host, and nobody reads its errors. So webhooks are cleaned, and say so.
 */
import { MAX_DEPTH, toPointer } from '../../contract/text.ts';

const NUL = String.fromCharCode(0);

export interface Cleaned {
  value: unknown;
  /** What was changed, one note a place; at most {@link MAX_NOTES}. */
  notes: string[];
}

/** More than these help nobody, and a body may hold a million. */
export const MAX_NOTES = 20;

/** NUL is removed, half a surrogate pair becomes U+FFFD, and what is nested too deep becomes null. */
export function cleanJson(value: unknown): Cleaned {
  const notes: string[] = [];
  return { value: clean(value, [], notes), notes };
}

/** @param path leads to the value; the same array for all, so that a body of millions of values costs no paths */
function clean(value: unknown, path: PropertyKey[], notes: string[]): unknown {
  if (typeof value === 'string') {
    return cleanText(value, path, notes);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (path.length >= MAX_DEPTH) {
    addNote(notes, () => `${toPointer(path)}: nested deeper than ${MAX_DEPTH} levels; left out`);
    return null;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => cleanMember(index, item, path, notes));
  }
  // fromEntries defines members, so that one named __proto__ stays a member.
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const name = cleanText(key, path, notes);
      return [name, cleanMember(name, member, path, notes)];
    })
  );
}

function cleanMember(key: PropertyKey, member: unknown, path: PropertyKey[], notes: string[]): unknown {
  path.push(key);
  const cleaned = clean(member, path, notes);
  path.pop();
  return cleaned;
}

function cleanText(text: string, path: readonly PropertyKey[], notes: string[]): string {
  if (!text.includes(NUL) && text.isWellFormed()) {
    return text;
  }
  addNote(
    notes,
    () => `${toPointer(path)}: characters that cannot be stored (NUL, half a surrogate pair) were removed or replaced`
  );
  return text.replaceAll(NUL, '').toWellFormed();
}

/**
 * Adds a note once, while there is room.
 * @param note a function where composing it costs something
 */
export function addNote(notes: string[], note: string | (() => string)): void {
  if (notes.length < MAX_NOTES) {
    const text = typeof note === 'string' ? note : note();
    if (!notes.includes(text)) {
      notes.push(text);
    }
  }
}
