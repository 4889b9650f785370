/** Zabbix' media type Webhook with the body of docs/connect-senders.md. */
import type { Zabbix } from '../../../contract/foreignBodies.ts';
import type { Priority } from '../../../contract/notification.ts';
import { show } from '../../../contract/text.ts';
import type { Parts } from './dialect.ts';
import { UNKNOWN_PRIORITY } from './priority.ts';
import { addNote, type Reading, textOf } from './text.ts';

/** Zabbix documentation, "Trigger severity"; an administrator can rename them. */
const PRIORITY_OF: ReadonlyMap<string, Priority> = new Map([
  ['not classified', 'low'],
  ['information', 'low'],
  ['warning', 'medium'],
  ['average', 'high'],
  ['high', 'high'],
  ['disaster', 'critical'],
]);

export function fromZabbix(body: Zabbix, notes: string[]): Reading<Parts> {
  const { id, value, name, severity, host, text, url } = body;
  const priority = PRIORITY_OF.get(textOf(severity)?.toLowerCase() ?? 'not classified');
  if (priority === undefined) {
    addNote(notes, `the severity ${show(severity)} is unknown; stored as ${UNKNOWN_PRIORITY}`);
  }
  // Zabbix leaves a macro that has no value in place.
  const filled = (one: string | null | undefined) => (/^\{[A-Z.]+\}$/.test(one ?? '') ? undefined : textOf(one));
  return {
    ok: true,
    value: {
      title: name,
      body: filled(text) ?? '',
      priority: priority ?? UNKNOWN_PRIORITY,
      status: String(value) === '1' ? 'triggered' : 'resolved',
      correlationId: `zabbix-${id}`,
      labels: { host: filled(host) },
      links: [['Open', filled(url)]],
      extra: body,
    },
  };
}
