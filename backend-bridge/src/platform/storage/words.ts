import { cutBytes, fitsBytes } from '../../../contract/text.ts';

/** Words as the search index cuts them: runs of letters, marks and digits. */
export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{Co}\p{M}]+/gu) ?? [];
}

/** PostgreSQL's limits: a lexeme has less than 2 KiB, a tsvector less than 1 MiB. Words of a text beyond that are not found. */
const WORD_BYTES = 2000;
const VECTOR_BYTES = 900_000;
/** Diacritics, and what only changes the look of a sign (enclosing marks, variation selectors). */
const MARKS = /[\u0300-\u036f\u20d0-\u20ff\ufe00-\ufe0f]/g;
/** Latin: of other scripts, such as Greek and Cyrillic, a letter with a diacritic is another letter. */
const COMPOSED = /[\u00c0-\u024f\u1e00-\u1eff]+/g;

/** A word as SQLite's tokenizer folds it (`unicode61 remove_diacritics 2`): in lower case, without diacritics. Empty when nothing is left. */
export function fold(word: string): string {
  const plain = word
    .toLowerCase()
    .replaceAll(MARKS, '')
    .replaceAll(COMPOSED, (letters) => letters.normalize('NFD').replaceAll(MARKS, ''))
    .replaceAll('ς', 'σ');
  return fitsBytes(plain, WORD_BYTES) ? plain : cutBytes(plain, WORD_BYTES);
}

/** The distinct words of a text, as many as a tsvector holds. */
export function lexemes(text: string): string[] {
  const words = new Set<string>();
  let bytes = 0;
  for (const word of wordsOf(text)) {
    const folded = fold(word);
    if (folded !== '' && !words.has(folded)) {
      bytes += Buffer.byteLength(folded) + 4;
      if (bytes > VECTOR_BYTES) {
        break;
      }
      words.add(folded);
    }
  }
  return [...words];
}
