/** Text of others in URLs. `encodeURIComponent` alone throws at half a surrogate pair, and leaves `.` and `..` as they are. */

/**
 * A segment of a path. URL parsers resolve `.` and `..`, also when their dots are percent-encoded (WHATWG URL, 4.4), so these two are
 * encoded twice: the path then names nothing, instead of another resource.
 * @param text any text; half a surrogate pair becomes U+FFFD
 */
export function urlSegment(text: string): string {
  return /^\.{1,2}$/.test(text) ? text.replaceAll('.', '%252E') : urlValue(text);
}

/** A value in a query. @param text any text; half a surrogate pair becomes U+FFFD */
export const urlValue = (text: string): string => encodeURIComponent(text.toWellFormed());
