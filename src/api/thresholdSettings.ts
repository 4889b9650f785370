/** Requests for settings: export, import and history. */
import { z } from 'zod';
import { importedSchema, settingChangeSchema, settingsDocumentSchema } from '@nodebell/contract/settings.ts';
import { request } from './client';

export function takeSettings() {
  return request('/settings', settingsDocumentSchema);
}

/**
 * Imports all settings or none.
 * @param text YAML or JSON
 * @param dryRun only reports what would change
 */
export function importSettings(text: string, dryRun: boolean) {
  return request('/settings', importedSchema, { method: 'POST', body: { settings: text, dryRun } });
}

/** Newest first. @param before only what is older than the change of this id */
export function listChanges(limit: number, before: number | undefined, signal?: AbortSignal) {
  const query = new URLSearchParams({ limit: String(limit), ...(before !== undefined && { before: String(before) }) });
  return request(`/settings/history?${query.toString()}`, z.array(settingChangeSchema), { signal });
}
