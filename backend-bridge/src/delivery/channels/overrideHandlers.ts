/** Handlers of overrides of schedules. */
import { randomUUID } from 'node:crypto';
import type { SCHEDULES } from '../../../contract/api/schedules.ts';
import { nameOfActor } from '../../../contract/audit.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { Override } from '../../../contract/onCall.ts';
import { show } from '../../../contract/text.ts';
import { HttpProblem, invalid } from '../../platform/http/problem.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import { addOverride, removeOverride } from '../schedules/overrideWrites.ts';
import type { PumpDeps } from './pump.ts';
import type { Routing } from './routing.ts';
import { instantAt } from '../schedules/schedule.ts';

interface Deps extends Pick<PumpDeps, 'writes' | 'now'> {
  routing: Pick<Routing, 'schedules' | 'people' | 'reload'>;
}

/** Changes are in effect when the response is sent; other replicas follow the event. */
export const overrideHandlers = ({
  routing,
  writes,
  now,
}: Deps): Pick<Handlers<typeof SCHEDULES>, 'addOverride' | 'removeOverride'> => ({
  async addOverride({ params: { name }, body, by }) {
    const { zone = 'UTC', overrides = [] } = scheduleNamed(routing, name);
    const at = now();
    requireValid(body, zone, { at, people: routing.people().map(({ login }) => login) });
    const current = overrides.filter(({ id, to }) => id !== undefined && instantAt(to, zone) > at);
    if (current.length >= LIMITS.onCallLists.value) {
      const detail = `The schedule ${name} has ${current.length} overrides that were added and have not ended; allowed are ${LIMITS.onCallLists.value}.`;
      throw new HttpProblem('conflict', detail);
    }
    const id = randomUUID();
    const author = nameOfActor(by);
    const { person, from, to } = body;
    const stored = { person, from_local: from, to_local: to, created_by: author ?? '', created_ts: at };
    await writes.submit(addOverride, { row: { id, schedule: name, ...stored }, by });
    await routing.reload();
    return { ...body, id, by: author };
  },
  async removeOverride({ params: { name, id }, by }) {
    scheduleNamed(routing, name);
    if (!(await writes.submit(removeOverride, { id, schedule: name, by, now: now() }))) {
      throw new HttpProblem(
        'not-found',
        `The schedule ${name} has no override ${show(id)} that was added by this API.`
      );
    }
    await routing.reload();
  },
});

function scheduleNamed({ schedules }: Deps['routing'], name: string) {
  const found = schedules().find((one) => one.name === name);
  if (found === undefined) {
    throw new HttpProblem('not-found', `There is no schedule ${show(name)}.`);
  }
  return found;
}

/** @throws HttpProblem 400 */
function requireValid({ person, to }: Override, zone: string, { at, people }: { at: number; people: string[] }): void {
  if (!people.includes(person)) {
    const allowed = people.length === 0 ? 'a person of a provisioning file' : `one of ${people.toSorted().join(', ')}`;
    const detail = `No channel reaches ${show(person)}: choose ${allowed}.`;
    throw invalid([{ pointer: '/person', found: show(person), allowed, detail }]);
  }
  if (instantAt(to, zone) <= at) {
    const [allowed, detail] = ['a time in the future', `The override has ended: choose a later time (${zone}).`];
    throw invalid([{ pointer: '/to', found: show(to), allowed, detail }]);
  }
}
