import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

const ENGLISH = 'en-US';

/** Grafana's own texts: only a language that has some is taken for the resolved one. */
const NAMESPACE = 'grafana';

/** Starts the i18next that Grafana shares with plugins, as Grafana's `initTranslations` does. Before anything is drawn. */
export async function initTexts(language: string, languages: string[]): Promise<void> {
  const lng = languages.includes(language) ? language : ENGLISH;
  await i18next.use(initReactI18next).init({
    partialBundledLanguages: true,
    resources: { [lng]: { [NAMESPACE]: { language: lng } } },
    returnEmptyString: false,
    supportedLngs: languages,
    fallbackLng: ENGLISH,
    lng,
    ns: [NAMESPACE],
  });
}

/** Loads a plugin's texts, as Grafana does before the plugin itself: under its id, from below its own address. */
export async function loadTexts(pluginId: string): Promise<void> {
  const language = i18next.resolvedLanguage ?? ENGLISH;
  const response = await fetch(`/public/plugins/${pluginId}/locales/${language}/${pluginId}.json`);
  if (!response.ok) {
    console.warn(`No texts of ${pluginId} in ${language}`);
    return;
  }
  i18next.addResourceBundle(language, pluginId, await response.json(), true, false);
}
