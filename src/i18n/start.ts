import { initPluginTranslations } from '@grafana/i18n';
import { setLanguage } from './locale';

/**
 * Sets the language of texts, numbers and dates to that of the Grafana user; each module.tsx awaits it first.
 * @param pluginId id of this module's plugin; nested panels have their own, under which Grafana loads their texts
 */
export async function startTranslations(pluginId: string): Promise<void> {
  const { language } = await initPluginTranslations(pluginId);
  setLanguage(language);
}
