/** Words that every page uses. Pure. */

/** What colours a sign. */
export type Tone = 'error' | 'warning' | 'success' | 'info' | 'secondary';

/** Names end in the domain that all of them share; a list has no room for it. */
export const shortName = (dnpName: string): string =>
  dnpName === 'unknown' ? 'unknown sender' : dnpName.replace(/\.(dnp|public)\.dappnode\.eth$/, '');

/** Categories are words such as "hardware"; a header begins with a capital. */
export const categoryName = (category: string): string => category.charAt(0).toLocaleUpperCase() + category.slice(1);

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`;
