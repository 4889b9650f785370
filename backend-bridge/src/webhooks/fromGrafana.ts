/** A body of Grafana's webhook contact point as notifications. */
import { grafanaWebhookSchema } from '../../contract/grafanaWebhook.ts';
import type { ProblemError } from '../../contract/problem.ts';
import { show } from '../../contract/text.ts';
import { cleanJson } from './clean.ts';
import type { ReadGroup, Reading } from './read.ts';
import { readGroup } from './readGroup.ts';
import { validateGroup } from './validateGroup.ts';

/** @param raw the parsed body */
export function fromGrafana(raw: unknown): Reading<ReadGroup> {
  const { value, notes } = cleanJson(raw);
  const alerts = typeof value === 'object' && value !== null ? (value as { alerts?: unknown }).alerts : undefined;
  if (!Array.isArray(alerts)) {
    return { ok: false, errors: [customPayload(alerts)] };
  }
  const group = validateGroup(grafanaWebhookSchema, value);
  return group.ok ? { ok: true, value: readGroup(group.value, 'grafana', notes) } : group;
}

/** A payload template of the contact point replaces the whole body by what its author thought of. */
function customPayload(found: unknown): ProblemError {
  return {
    pointer: '/alerts',
    found: show(found),
    allowed: "the list of alerts of Grafana's own webhook body",
    detail:
      'This is not the body that Grafana posts by itself. Remove the custom payload (template) from the contact point; to send a text of your own, post it to /api/v1/notifications.',
  };
}
