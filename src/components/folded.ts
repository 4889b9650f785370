/** A text as searches compare it: without differences of case and width. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase();
