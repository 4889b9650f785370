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
