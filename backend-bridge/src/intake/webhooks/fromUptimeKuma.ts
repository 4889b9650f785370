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
  const name = textOf(monitor?.name) ?? 'Uptime Kuma';
  const state = STATES[heartbeat?.status ?? -1];
  const text = textOf(heartbeat?.msg) ?? textOf(msg) ?? '';
  const id = monitor?.id;
  return {
    ok: true,
    value: {
      title: state ? `${name} is ${state.word}` : name,
      body: text,
      priority: state?.status === undefined ? 'low' : 'high',
      status: id === null || id === undefined ? undefined : state?.status,
      correlationId: id === null || id === undefined ? undefined : `uptime-kuma-${id}`,
      labels: { monitor: monitor?.name },
      // A new monitor has this in place of an address.
      links: monitor?.url === 'https://' ? [] : [['Open', monitor?.url]],
      extra: { heartbeat, monitor },
    },
  };
}
