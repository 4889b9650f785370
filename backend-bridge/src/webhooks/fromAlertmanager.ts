/** A body of Alertmanager (payload version 4) as notifications. */
import { alertmanagerWebhookSchema } from '../../contract/alertmanagerWebhook.ts';
import { cleanJson } from './clean.ts';
import type { ReadGroup, Reading } from './read.ts';
import { readGroup } from './readGroup.ts';
import { validateGroup } from './validateGroup.ts';

/** @param raw the parsed body */
export function fromAlertmanager(raw: unknown): Reading<ReadGroup> {
  const { value, notes } = cleanJson(raw);
  const group = validateGroup(alertmanagerWebhookSchema, value);
  return group.ok ? { ok: true, value: readGroup(group.value, 'alertmanager', notes) } : group;
}
