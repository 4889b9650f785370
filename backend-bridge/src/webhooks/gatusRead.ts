/** From the text that Gatus sent to an object, broken or not. */
import { isMarked, scanGatusBody, type ScannedBody } from './gatusText.ts';

export interface GatusText {
  /** As JSON.parse would give it. */
  value: unknown;
  /** What JSON.parse threw, when the text was no JSON. */
  broken?: unknown;
  /** What was lost, or may have been: for the reader of the notification. */
  lost: string[];
  /** For whoever looks at the answer. */
  notes: string[];
}

/**
 * Text of the recommended template is read by its layout even when it happens to be JSON: Gatus put the values in as they
 * were, so `\n` in a condition is a backslash and an n. Any other text is JSON if it can be.
 */
export function readGatusText(text: string): GatusText {
  let parsed: { value: unknown } | undefined;
  let broken: unknown;
  try {
    parsed = { value: JSON.parse(text) as unknown };
  } catch (error) {
    broken = error;
  }
  const scanned = parsed && !isMarked(text) ? undefined : scanGatusBody(text);
  if (!scanned) {
    return { value: parsed?.value, broken, lost: [], notes: [] };
  }
  const value = toObject(scanned.members);
  if (!parsed) {
    return { value, broken, lost: scanned.lost, notes: notesOf(scanned) };
  }
  // JSON of which members were left out on purpose is whole; JSON in which a value holds a member's name is not what it seems.
  const lost = scanned.ambiguous ? scanned.lost : [];
  return { value: scanned.exact ? value : parsed.value, lost, notes: lost };
}

function notesOf({ exact, lost }: ScannedBody): string[] {
  const why = 'the body is not JSON, because Gatus puts values in without escaping them';
  return exact ? [`${why}; nothing was lost`] : [`${why}; it was read by the names of its members`, ...lost];
}

/** `gatus.url` becomes the member `url` of the member `gatus`. */
function toObject(members: ReadonlyMap<string, string>): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [member, text] of members) {
    const [first = '', second] = member.split('.');
    if (second === undefined) {
      root[first] = text;
    } else {
      root[first] = { ...(root[first] as object | undefined), [second]: text };
    }
  }
  return root;
}
