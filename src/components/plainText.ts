/** Markdown as one line of plain text, for lists and announcements. Pure. */

/** A list shows one line, so the rest of a long body need not be read for it. */
const ENOUGH = 600;

export function plainText(markdown: string): string {
  return markdown
    .slice(0, ENOUGH)
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
