/** Links in plain text. Pure. */

interface Part {
  text: string;
  /** Undefined: plain text. */
  href?: string;
}

/** Addresses with http: or https:, without the punctuation of the sentence after them. */
const LINK = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?')\]}]/gi;

export function splitLinks(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: href, index } of text.matchAll(LINK)) {
    if (index > end) {
      parts.push({ text: text.slice(end, index) });
    }
    parts.push({ text: href, href });
    end = index + href.length;
  }
  if (end < text.length) {
    parts.push({ text: text.slice(end) });
  }
  return parts;
}
