/** Reports silences and maintenance windows that end within an hour while they still suppress something, once for each end. */
import type { Silence } from '../../../contract/silence.ts';
import { formatMatchers } from '../../../contract/matchers.ts';
import type { Maintenance } from '../../../contract/suppression.ts';
import { OWN_PACKAGE } from '../../../contract/notification.ts';
import { HOUR_MS } from '../../../contract/time.ts';
import type { SuppressionService } from '../../delivery/suppression/service.ts';
import type { Incoming, Receive } from '../../inbox/notifications/receive.ts';
import type { Silencing } from './service.ts';

const NOTICE_MS = HOUR_MS;
/** Whoever silences for less knows when that ends. Milliseconds. */
const SHORTEST_MS = 2 * NOTICE_MS;

interface Ending {
  /** Identifies one end of one silence or window: it is reported once. */
  key: string;
  what: 'silence' | 'maintenance window';
  title: string;
  by: string;
  /** ISO 8601. */
  startsAt: string;
  until: string;
  /** Alerts or threads that it suppresses. */
  count: number;
}

const ofSilence = ({ id, alertmanager, comment, matchers, by, startsAt, until, alerts }: Silence): Ending => ({
  ...{ key: `silence ${alertmanager} ${id} ${until}`, what: 'silence', by, startsAt, until, count: alerts.length },
  title: comment.trim() === '' ? formatMatchers(matchers) : comment,
});

/** @returns undefined: it is not active, or has no end */
function ofWindow({ id, name, by, state, from, until, startsAt, threads }: Maintenance): Ending | undefined {
  return state === 'active' && until !== null
    ? {
        ...{ key: `window ${id} ${until}`, what: 'maintenance window', title: name, by, until, count: threads },
        startsAt: from ?? startsAt ?? new Date(0).toISOString(),
      }
    : undefined;
}

/** The notification of one that ends soon; undefined: nothing to report. @param now UTC milliseconds */
function noticeOf({ key, what, title, by, startsAt, until, count }: Ending, now: number): Incoming | undefined {
  const end = Date.parse(until);
  const isSoon = end > now && end - now <= NOTICE_MS && end - Date.parse(startsAt) > SHORTEST_MS;
  if (!isSoon || count === 0) {
    return undefined;
  }
  const body = [
    `${count === 1 ? 'One alert still fires' : `${count} alerts still fire`} and will be sent from ${until} on.`,
    ...(by === '' ? [] : [`Created by ${by}.`]),
  ].join(' ');
  return {
    payload: {
      title: `A ${what} ends soon: ${title}`,
      body,
      priority: 'medium',
      category: 'system',
      dnpName: OWN_PACKAGE,
    },
    source: 'bridge',
    once: { scope: 'bridge', key },
  };
}

export interface EndingDeps {
  silencing: Pick<Silencing, 'list'>;
  suppression: Pick<SuppressionService, 'list'>;
  receive: Receive;
  /** UTC milliseconds. */
  now: () => number;
}

/** Reports those that end soon; what was reported before is not stored again. */
export async function reportEnding({ silencing, suppression, receive, now }: EndingDeps): Promise<void> {
  const { silences } = await silencing.list();
  const { windows } = await suppression.list();
  const ending = [...silences.map(ofSilence), ...windows.flatMap((window) => ofWindow(window) ?? [])];
  await receive(ending.flatMap((one) => noticeOf(one, now()) ?? []));
}
