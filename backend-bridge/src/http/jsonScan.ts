/**
 * Counts the elements and levels of JSON while it is received, so that a body that would fill the heap is refused before
 * JSON.parse creates its objects.
 */

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Exact for JSON; for other text, up to the place where JSON.parse stops. */
export class JsonScan {
  /** Opening brackets and commas outside of strings: at least as many as JSON.parse creates objects and lists. */
  elements = 0;
  /** The deepest nesting so far. */
  levels = 0;
  #depth = 0;
  #inString = false;
  /** One beyond the bytes scanned when these end in the middle of an escape. */
  #next = 0;

  /**
   * Scans the bytes that were added since the last call.
   * @param bytes the body from its beginning
   * @param end how many of them have arrived
   */
  advance(bytes: Uint8Array, end: number): void {
    let at = this.#next;
    let inString = this.#inString;
    let depth = this.#depth;
    let { elements, levels } = this;
    while (at < end) {
      const byte = bytes[at];
      if (inString) {
        inString = byte !== QUOTE;
        at += byte === BACKSLASH ? 2 : 1;
        continue;
      }
      at += 1;
      if (byte === QUOTE) {
        inString = true;
      } else if (byte === COMMA) {
        elements += 1;
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        elements += 1;
        depth += 1;
        levels = depth > levels ? depth : levels;
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        depth -= 1;
      }
    }
    this.#next = at;
    this.#inString = inString;
    this.#depth = depth;
    this.elements = elements;
    this.levels = levels;
  }
}
