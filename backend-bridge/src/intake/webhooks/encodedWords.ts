/** Encoded words in headers (RFC 2047): `=?UTF-8?B?…?=`. */

const WORD = /=\?([\w-]+)\?([bq])\?([^?\s]*)\?=/gi;

/** Words in UTF-8, ISO-8859-1 and others that the runtime knows; others stay as they are. */
export function decodeWords(text: string): string {
  // Space between two words is not part of the text (section 6.2).
  return text
    .replace(/(\?=)\s+(?==\?)/g, '$1')
    .replace(WORD, (word, charset: string, encoding: string, encoded: string) => {
      const bytes = encoding.toLowerCase() === 'b' ? Buffer.from(encoded, 'base64') : quoted(encoded);
      try {
        return new TextDecoder(charset).decode(bytes);
      } catch {
        return word;
      }
    });
}

const quoted = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll('_', ' ')
      .replace(/=([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1'
  );
