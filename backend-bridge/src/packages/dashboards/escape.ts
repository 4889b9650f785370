/** Texts of others in a dashboard. Grafana puts variables into titles, links and panels of text, so `$` and `[[` must not get there. */

/** For the body of a panel of text: nothing in it is read as Markdown, HTML or a variable. One line. */
export function markdownText(text: string): string {
  return oneLine(text)
    .replace(/[!-#%-/:-@[-`{-~]/g, '\\$&')
    .replaceAll('$', '&#36;');
}

/** For a title: shortened, without variables. */
export function titleText(text: string): string {
  const line = oneLine(text).replaceAll('$', '＄').replaceAll('[[', '[ [');
  return line.length > 80 ? `${line.slice(0, 79).toWellFormed()}…` : line;
}

/**
 * For a link that a viewer may follow.
 * @returns undefined for all but http: and https:, since a path would lead into Grafana
 */
export function linkAddress(address: string): string | undefined {
  const url = URL.parse(address.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    return undefined;
  }
  return url.href
    .replaceAll('$', '%24')
    .replaceAll('[', '%5B')
    .replaceAll(']', '%5D')
    .replace(/^(https?:\/\/)%5B([^/]*)%5D/, '$1[$2]');
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}
