/** Uptime Kuma's notification provider "Webhook". */
import type { UptimeKuma } from '../../../contract/foreignBodies.ts';
import type { Status } from '../../../contract/notification.ts';
import type { Parts } from './dialect.ts';
import { type Reading, textOf } from './text.ts';

/** Its constants DOWN, UP, PENDING and MAINTENANCE. The last two neither open nor close a thread. */
const STATES: Record<number, { word: string; status?: Status }> = {
  0: { word: 'down', status: 'triggered' },
  1: { word: 'up', status: 'resolved' },
  2: { word: 'pending' },
  3: { word: 'under maintenance' },
};

export function fromUptimeKuma(body: UptimeKuma): Reading<Parts> {
  const { heartbeat, monitor, msg } = body;
  const { status = null, msg: reason } = heartbeat ?? {};
  const { id, name, url } = monitor ?? {};
  const shown = textOf(name) ?? 'Uptime Kuma';
  const state = status === null ? undefined : STATES[status];
  return {
    ok: true,
    value: {
      title: state ? `${shown} is ${state.word}` : shown,
      body: textOf(reason) ?? textOf(msg) ?? '',
      priority: state?.status === undefined ? 'low' : 'high',
      // A test has no monitor.
      ...(id != null && { status: state?.status, correlationId: `uptime-kuma-${id}` }),
      labels: { monitor: name },
      // A new monitor has this in place of an address.
      links: url === 'https://' ? [] : [['Open', url]],
      extra: { heartbeat, monitor },
    },
  };
}
