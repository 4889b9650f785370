import { initPluginTranslations } from '@grafana/i18n';
import { setLanguage } from './locale';

/**
 * Makes texts, numbers and dates follow the language of Grafana's user; each module.tsx awaits it before anything else.
 * @param pluginId of the plugin that this module is of: a nested panel's own, under which Grafana loads its texts
 */
export async function startTranslations(pluginId: string): Promise<void> {
  const { language } = await initPluginTranslations(pluginId);
  setLanguage(language);
}
