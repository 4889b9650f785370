/** Texts that Grafana stores for each user, by key. Without its API, or without a login, they are in the browser. */
import { store } from '@grafana/data';
import { config, type usePluginUserStorage } from '@grafana/runtime';
import { t } from '../i18n/t';
import { PLUGIN_ID } from '../routes';
import { refusalOf, requestGrafana, statusOf } from './grafana';

/**
 * Reads the stored text. The library's `getItem` returns its first response for as long as the tab is open, and nothing if the request
 * fails: a change of that would overwrite what other tabs have stored.
 * @returns undefined if there is none
 * @throws Error with a message for the user
 */
export async function readStored(key: string): Promise<string | undefined> {
  const { id, uid, isSignedIn } = config.bootData.user;
  // The names of the library, which writes.
  const resource = `${PLUGIN_ID}:${uid || id}`;
  const inBrowser = () => store.get(`${resource}:${key}`) as string | undefined;
  if (!isSignedIn) {
    return inBrowser();
  }
  try {
    const path = `/apis/userstorage.grafana.app/v0alpha1/namespaces/${config.namespace}/user-storage/${resource}`;
    const { data } = await requestGrafana(path, 'GET');
    return (data as { spec: { data?: Record<string, string> } }).spec.data?.[key];
  } catch (thrown) {
    if (statusOf(thrown) === 404) {
      return inBrowser();
    }
    throw new Error(refusalOf(thrown), { cause: thrown });
  }
}

/**
 * Writes the text and reads it again: the library reports no errors.
 * @throws Error with a message for the user
 */
export async function writeStored(
  storage: ReturnType<typeof usePluginUserStorage>,
  key: string,
  text: string
): Promise<void> {
  await storage.setItem(key, text);
  if ((await readStored(key)) !== text) {
    throw new Error(t('bridge.grafana.not-stored', 'Grafana did not store the change. Try again.'));
  }
}
