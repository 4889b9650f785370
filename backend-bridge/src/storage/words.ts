/** Words as the search index cuts them: runs of letters, marks and digits. */
export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{Co}\p{M}]+/gu) ?? [];
}
