/** A body of Alertmanager (payload version 4) as notifications. */
import { alertmanagerWebhookSchema } from '../../contract/alertmanagerWebhook.ts';
import { toProblemErrors } from '../../contract/readPayload.ts';
import { cleanJson } from './clean.ts';
import type { ReadGroup, Reading } from './read.ts';
import { readGroup } from './readGroup.ts';

/** More mistakes than these say nothing new; a wrong body has the same one in each of its alerts. */
export const MAX_ERRORS = 50;

/** @param raw the parsed body */
export function fromAlertmanager(raw: unknown): Reading<ReadGroup> {
  const { value, notes } = cleanJson(raw);
  const result = alertmanagerWebhookSchema.safeParse(value);
  return result.success
    ? { ok: true, value: readGroup(result.data, 'alertmanager', notes) }
    : { ok: false, errors: toProblemErrors(result.error, value).slice(0, MAX_ERRORS) };
}
