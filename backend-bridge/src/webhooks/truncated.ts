/** Alerts that a monitor left out of its body are gone unless somebody is told (grafana/alerting#405). */
import type { GrafanaWebhook } from '../../contract/grafanaWebhook.ts';
import type { Incoming } from '../notifications/receive.ts';
import { sortedBy, type AlertContext } from './fromAlert.ts';
import { firstSafeLink, shortHash, textOf, type ReadAlert } from './read.ts';

const WORDS = {
  grafana: {
    name: 'Grafana',
    setting:
      'The webhook contact point has a limit, "Max alerts" (`maxAlerts` in files): raise it, or set it to 0 for no limit.',
  },
  alertmanager: {
    name: 'Alertmanager',
    setting: 'The receiver has a limit, `max_alerts` of its `webhook_configs`: raise it, or set it to 0 for no limit.',
  },
} as const;

/**
 * An event, not a state: nobody can say when it is over, so it has no status and never counts as open.
 * The same body again does not tell it again; another number, or other alerts beside it, does.
 */
export function truncationNotice(
  body: GrafanaWebhook,
  count: number,
  alerts: ReadAlert[],
  { source, receiver, groupKey = '' }: AlertContext,
  notes: string[]
): Incoming {
  const { name, setting } = WORDS[source];
  const link = firstSafeLink([[`Open ${name}`, body.externalURL]], notes);
  const spells = alerts.map(({ fingerprint, startsAt, status }) => `${fingerprint}|${startsAt ?? ''}|${status}`).sort();
  const were = count === 1 ? '1 alert was' : `${count} alerts were`;
  const arrived = alerts.length === 1 ? '1 alert arrived' : `${alerts.length} alerts arrived`;
  return {
    payload: {
      dnpName: receiver ?? source,
      ...sortedBy(body.commonLabels ?? {}),
      title: `${were} left out by ${name}`,
      body: `${arrived} with this body; ${were} left out and cannot be shown here.\n\n${setting}`,
      priority: 'high',
      correlationId: `truncated-${shortHash(groupKey)}`,
      isBanner: false,
      ...(link && { callToAction: link }),
    },
    extra: { receiver, groupKey: textOf(groupKey), truncatedAlerts: count },
    source,
    once: { scope: source, key: `truncated|${shortHash(JSON.stringify([groupKey, count, spells]))}` },
  };
}
