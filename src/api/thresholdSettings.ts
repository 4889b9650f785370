/** The paths of what is set as a whole, typed: taken out, taken in, and who has set what. */
import { z } from 'zod';
import { importedSchema, settingChangeSchema, settingsDocumentSchema } from '@nodebell/contract/settings.ts';
import { ask } from './client';

export function takeSettings() {
  return ask('/settings', settingsDocumentSchema);
}

/**
 * All of it or nothing.
 * @param text YAML or JSON
 * @param dryRun only says what would change
 */
export function importSettings(text: string, dryRun: boolean) {
  return ask('/settings', importedSchema, { method: 'POST', body: { settings: text, dryRun } });
}

/** Newest first. @param before only what is older than the change of this id */
export function listChanges(limit: number, before: number | undefined, signal?: AbortSignal) {
  const query = new URLSearchParams({ limit: String(limit), ...(before !== undefined && { before: String(before) }) });
  return ask(`/settings/history?${query.toString()}`, z.array(settingChangeSchema), { signal });
}
