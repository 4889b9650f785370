/** A text as searches compare it: without differences of case and width. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Whether every term of a search occurs in one of some texts. */
export function finder(q: string): (texts: readonly string[]) => boolean {
  const terms = folded(q).split(/\s+/).filter(Boolean);
  return (texts) => {
    const text = folded(texts.join('\n'));
    return terms.every((term) => text.includes(term));
  };
}
