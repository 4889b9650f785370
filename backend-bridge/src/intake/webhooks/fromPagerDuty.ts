/** PagerDuty Events API v2. */
import type { PagerDutyEvent } from '../../../contract/foreignBodies.ts';
import { show } from '../../../contract/text.ts';
import { missing, type Parts, type Posted } from './dialect.ts';
import { readPriority } from './priority.ts';
import { addNote, codeBlock, codeSpan, type Reading, textOf } from './text.ts';

export function fromPagerDuty(
  event: PagerDutyEvent,
  notes: string[],
  { newId }: Pick<Posted, 'newId'>
): Reading<Parts> {
  const { event_action: action, payload, links, client_url, routing_key: _secret, ...rest } = event;
  const key = textOf(event.dedup_key);
  const summary = textOf(payload?.summary);
  if (action !== 'trigger' && key === undefined) {
    return missing('/dedup_key', `the key of the event to ${action}`);
  }
  if (action === 'acknowledge') {
    return { ok: true, value: { title: key, body: '', correlationId: key, acknowledges: true } };
  }
  if (action === 'trigger' && summary === undefined) {
    return missing('/payload/summary', 'text with at least one visible character');
  }
  const { priority, unknown } = readPriority(payload?.severity);
  if (unknown !== undefined) {
    addNote(notes, `the severity ${show(unknown)} is unknown; stored as ${priority}`);
  }
  const { source, component, group, class: kind } = payload ?? {};
  return {
    ok: true,
    value: {
      title: summary ?? `Resolved: ${key}`,
      body: detailsOf(payload?.custom_details),
      priority,
      status: action === 'trigger' ? 'triggered' : 'resolved',
      correlationId: key ?? newId(),
      labels: { source, component, group, class: kind },
      links: [...(links ?? []).map(({ href, text }) => [textOf(text) ?? 'Open', href] as const), ['Open', client_url]],
      extra: { ...rest, payload },
    },
  };
}

function detailsOf(details: unknown): string {
  if (typeof details === 'string') {
    return details;
  }
  if (typeof details !== 'object' || details === null) {
    return details === undefined || details === null ? '' : codeSpan(show(details));
  }
  const lines = Object.entries(details)
    .map(([name, value]) => [name, typeof value === 'string' ? value.trim() : JSON.stringify(value)] as const)
    .filter(([, text]) => text !== '');
  return lines.map(([name, text]) => detailOf(name, text)).join('\n');
}

/** Alertmanager lists the alerts of a group in one detail, which has several lines. */
const detailOf = (name: string, text: string): string =>
  /[\r\n]/.test(text) ? `- ${codeSpan(name)}\n\n${codeBlock(text)}\n` : `- ${codeSpan(`${name}: ${text}`)}`;
