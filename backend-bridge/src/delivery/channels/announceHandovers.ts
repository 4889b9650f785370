/** Tells people that they are on call, on the replica that leads. */
import { OWN_PACKAGE } from '../../../contract/notification.ts';
import { placeName } from '../../../contract/onCall.ts';
import { DAY_MS } from '../../../contract/time.ts';
import type { Incoming, Receive } from '../../inbox/notifications/receive.ts';
import { noteOnCall } from '../schedules/onCallState.ts';
import type { PumpDeps } from './pump.ts';
import type { PlacedSchedule, Routing } from './routing.ts';
import { onCallAt, shiftsBetween } from '../schedules/schedule.ts';

export interface HandoverDeps extends Pick<PumpDeps, 'writes' | 'leads' | 'now'> {
  routing: Pick<Routing, 'schedules' | 'stateOf' | 'reachedBy' | 'reload'>;
  receive: Receive;
}

/** For the end of a shift in the text. */
const AHEAD_MS = 14 * DAY_MS;

/**
 * Notifies whoever starts or ends since the last check. Who is on call is compared with who was, which is stored after the notifications: a
 * restart in between sends them again, and as repeats they are not stored twice.
 */
export async function announceHandovers({ routing, receive, writes, leads, now }: HandoverDeps): Promise<void> {
  for (const schedule of routing.schedules()) {
    const { name, file, announce = 'none', calendar } = schedule;
    const { announced } = routing.stateOf(file, name);
    const at = now();
    const people = onCallAt(schedule, at).toSorted();
    // Before its calendar has been read, nobody is on call.
    if (calendar?.readAt === null) {
      continue;
    }
    if (announce === 'none' || !leads() || announced?.people.join('/') === people.join('/')) {
      continue;
    }
    // The first comparison notifies nobody: whoever is on call has been so before.
    if (announced) {
      const scope = `on call ${name} ${announced.at}`;
      const starts = people.filter((one) => !announced.people.includes(one));
      const ends = announce === 'both' ? announced.people.filter((one) => !people.includes(one)) : [];
      await receive([
        ...starts.map((one) => noticeOf(routing, schedule, { person: one, at, scope, hasStarted: true })),
        ...ends.map((one) => noticeOf(routing, schedule, { person: one, at, scope, hasStarted: false })),
      ]);
    }
    await writes.submit(noteOnCall, { file, schedule: name, state: { announced: { people, at } } });
    await routing.reload();
  }
}

function noticeOf(
  routing: HandoverDeps['routing'],
  schedule: PlacedSchedule,
  { person, at, scope, hasStarted }: { person: string; at: number; scope: string; hasStarted: boolean }
): Incoming {
  const { name, zone = 'UTC' } = schedule;
  const [current, next] = shiftsBetween(schedule, at, at + AHEAD_MS);
  const until = next && new Date(next.start).toLocaleString('sv-SE', { timeZone: zone }).slice(0, 16);
  const others = current!.people.filter((one) => one !== person).join(', ') || 'nobody';
  const { to } = routing.reachedBy(placeName({ kind: 'person', name: person }), at, undefined);
  return {
    payload: {
      title: hasStarted ? `${person} is on call: ${name}` : `${person} is no longer on call: ${name}`,
      body: hasStarted
        ? `${until === undefined ? 'For at least 14 days.' : `Until ${until} (${zone}).`}`
        : `Now on call: ${others}.`,
      category: 'system',
      dnpName: OWN_PACKAGE,
      priority: 'medium',
    },
    source: 'bridge',
    once: { scope, key: `${person} ${hasStarted ? 'starts' : 'ends'}` },
    destinations: { channels: [...new Set(to.map(({ channel }) => channel))], ifAnnounced: [] },
  };
}
