/** Addresses among the settings from the environment. */
import type { ReadSetting } from './monitoring/monitors/settings.ts';

export function readPublicUrl(read: ReadSetting, mistakes: string[]): string | undefined {
  const text = read('NODEBELL_PUBLIC_URL');
  const url = text === undefined ? undefined : URL.parse(text);
  if (text === undefined) {
    return undefined;
  }
  if (url && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '') {
    return url.href.replace(/\/$/, '');
  }
  mistakes.push(
    `NODEBELL_PUBLIC_URL: found ${text.includes('@') ? 'a user name' : JSON.stringify(text)}, allowed is an http: or https: address without user name, query and fragment`
  );
  return undefined;
}

/** The value may hold a password, so it is not shown. */
export function readDatabaseUrl(read: ReadSetting, mistakes: string[]): string | undefined {
  const text = read('NODEBELL_DATABASE_URL');
  const url = text === undefined ? undefined : URL.parse(text);
  const fits = url && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1;
  if (text !== undefined && !fits) {
    mistakes.push(
      'NODEBELL_DATABASE_URL: found something else (not shown), allowed is postgres://user:password@host:5432/database'
    );
  }
  return text;
}
