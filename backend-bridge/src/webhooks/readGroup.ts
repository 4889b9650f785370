/** A body with many alerts, firing and resolved: which notifications it makes, and in which order. */
import type { GrafanaWebhook } from '../../contract/grafanaWebhook.ts';
import type { Incoming } from '../notifications/receive.ts';
import { readAlert, type AlertContext } from './fromAlert.ts';
import { shortHash, textOf, type ReadAlert, type ReadGroup } from './read.ts';
import { truncationNotice } from './truncated.ts';

/** @param notes from before; more are added */
export function readGroup(body: GrafanaWebhook, source: AlertContext['source'], notes: string[]): ReadGroup {
  const context = { source, receiver: textOf(body.receiver), groupKey: textOf(body.groupKey) };
  const alerts = inOrder(body.alerts.map((alert) => readAlert(alert, context, notes)));
  const truncated = body.truncatedAlerts ?? 0;
  const notices = [
    ...stillFiring(alerts),
    ...(truncated > 0 ? [truncationNotice(body, truncated, alerts, context, notes)] : []),
  ];
  return { alerts, notices, truncated, notes };
}

/**
 * Resolved before firing: a thread's state is that of its newest member, so a thread that several alerts share by their
 * `correlationId` stays open while one of them fires. Only a firing alert whose own end is in the same body comes first.
 */
function inOrder(alerts: ReadAlert[]): ReadAlert[] {
  const ended = new Set(alerts.filter(({ status }) => status === 'resolved').map(spellOf));
  const turn = (alert: ReadAlert) => (alert.status === 'resolved' ? 1 : ended.has(spellOf(alert)) ? 0 : 2);
  return alerts.toSorted((a, b) => turn(a) - turn(b));
}

function spellOf({ fingerprint, startsAt }: ReadAlert): string {
  return `${fingerprint}|${startsAt ?? ''}`;
}

function threadOf({ payload }: Incoming): string {
  return JSON.stringify([payload.dnpName, payload.correlationId]);
}

/**
 * A thread shared by several alerts, of which one is over and another was told before and still fires: the end of the one
 * would close it, and the other, being known, would not open it again. So the other is told once more, once for this end.
 * Only alerts of the same body are known here; alerts that share a thread belong into one group (`group_by`).
 */
function stillFiring(alerts: ReadAlert[]): Incoming[] {
  const threads = Map.groupBy(alerts, ({ incoming }) => threadOf(incoming));
  return [...threads.values()].flatMap((members) => {
    const over = members.filter(({ status }) => status === 'resolved');
    const spells = new Set(over.map(spellOf));
    const firing = members.findLast((member) => member.status === 'firing' && !spells.has(spellOf(member)));
    const once = firing?.incoming.once;
    if (!firing || !once || over.length === 0) {
      return [];
    }
    const ends = shortHash([...spells].sort().join('\n'));
    const { payload } = firing.incoming;
    const body = `Still firing; another alert of this thread is over.\n\n${payload.body}`;
    return [
      {
        ...firing.incoming,
        payload: { ...payload, body },
        once: { scope: once.scope, key: `${once.key}|after ${ends}` },
      },
    ];
  });
}
