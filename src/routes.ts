import pluginJson from '../plugin.json' with { type: 'json' };

export const PLUGIN_ID = pluginJson.id;
export const PLUGIN_BASE_URL = `/a/${PLUGIN_ID}`;

/** Every page of the app, once. Paths are relative to PLUGIN_BASE_URL. */
export const routes = { inbox: 'inbox' } as const;
