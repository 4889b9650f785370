/** The settings of an app in an organisation. Values under secureJsonData never leave the server. */
export interface PluginSettings {
  enabled: boolean;
  pinned: boolean;
  jsonData: Record<string, unknown>;
  secureJsonData: Record<string, string>;
}

/** Fills in a route's `{{ .JsonData.x }}` and `{{ .SecureJsonData.x }}`; what is not set becomes Go's "<no value>" or "". */
export function fillTemplate(template: string, { jsonData, secureJsonData }: PluginSettings): string {
  return template.replace(/\{\{-?\s*\.(JsonData|SecureJsonData)\.(\w+)\s*-?\}\}/g, (_, source: string, key: string) => {
    if (source === 'SecureJsonData') {
      return secureJsonData[key] ?? '';
    }
    const value = jsonData[key];
    return typeof value === 'string' ? value : value == null ? '<no value>' : JSON.stringify(value);
  });
}

/** Takes what POST /api/plugins/<id>/settings was given: jsonData is replaced, secrets are merged. */
export function updateSettings(settings: PluginSettings, change: Partial<PluginSettings>): void {
  settings.enabled = change.enabled ?? settings.enabled;
  settings.pinned = change.pinned ?? settings.pinned;
  settings.jsonData = change.jsonData ?? settings.jsonData;
  settings.secureJsonData = { ...settings.secureJsonData, ...change.secureJsonData };
}

export const secureFields = ({ secureJsonData }: PluginSettings): Record<string, boolean> =>
  Object.fromEntries(Object.entries(secureJsonData).map(([key, value]) => [key, value !== '']));
