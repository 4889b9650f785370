/** Shortened and plain forms of a Markdown body. Pure. */

/** Bodies longer than this are shortened, to about the second number of characters. */
const LONG = 2400;
const SHOWN = 1600;

/** Lists show one line, so the rest of a long body is not converted. */
const PLAIN_LENGTH = 600;

/** The beginning of a long body, cut between lines or words, with an open code block closed. A short body is returned unchanged. */
export function cutBody(text: string): string {
  if (text.length <= LONG) {
    return text;
  }
  const head = text.slice(0, SHOWN);
  const at = Math.max(head.lastIndexOf('\n'), head.lastIndexOf(' '));
  const cut = at > SHOWN / 2 ? head.slice(0, at) : [...head].slice(0, -1).join('');
  const fences = cut.match(/^[ \t]*```/gm)?.length ?? 0;
  return fences % 2 === 1 ? `${cut}\n\`\`\`\n\n…` : `${cut} …`;
}

/** Markdown as one line of plain text, for lists and announcements. */
export function plainText(markdown: string): string {
  return markdown
    .slice(0, PLAIN_LENGTH)
    .replace(/```[^\n]*\n?|~~~[^\n]*\n?/g, ' ')
    .replace(/!\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
    .replace(/\[([^\]]+)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
    .replace(/<(https?:[^>\s]+)>/g, '$1')
    .replace(/^[ \t]*\|?[ \t:|-]*-{3,}[ \t:|-]*$/gm, ' ')
    .replace(/^[ \t]{0,3}(#{1,6}|>+|[-*+]|\d{1,9}[.)])[ \t]+(\[[ xX]\][ \t]+)?/gm, '')
    .replace(/(\*\*|__|~~)(?=\S)([\s\S]*?\S)\1/g, '$2')
    .replace(/(^|[^\p{L}\p{N}_*])[*_](?=\S)([^*_\n]*?\S)[*_](?![\p{L}\p{N}])/gu, '$1$2')
    .replace(/`+([^`]*)`+/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+\-.!|>~])/g, '$1')
    .replace(/[ \t]*\|[ \t]*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Characters of one chunk. */
const CHUNK = 8000;

/**
 * A long text in pieces that a browser can lay out one by one. Each ends at a line break, which is left out since a piece is a
 * block, or between words, or else between characters. Pure.
 */
export function textChunks(text: string): string[] {
  const chunks: string[] = [];
  for (let start = 0; start < text.length;) {
    const head = text.slice(start, start + CHUNK);
    if (start + CHUNK >= text.length) {
      chunks.push(head);
      break;
    }
    const line = head.lastIndexOf('\n');
    const word = head.lastIndexOf(' ') + 1;
    const character = /[\ud800-\udbff]$/.test(head) ? CHUNK - 1 : CHUNK;
    const end = line >= 0 ? line : word > 0 ? word : character;
    chunks.push(head.slice(0, end));
    start += line >= 0 ? line + 1 : end;
  }
  return chunks;
}
