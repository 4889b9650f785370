/** Operations on devices, which belong to the user whom Grafana names, and on the keys of web push. */
import type { PUSH } from '../../../contract/api/push.ts';
import type { Person } from '../../platform/http/guard.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import type { Push } from './service.ts';

export const pushHandlers = (push: Push): Handlers<typeof PUSH> => ({
  getPushKey: () => push.key(),
  replacePushKey: ({ by }) => push.replaceKey(by),
  getQuietHours: ({ person }) => push.quietHours(signedIn(person)),
  setQuietHours: ({ person, body }) => push.setQuietHours(signedIn(person), body),
  listDevices: ({ person }) => push.list(signedIn(person)),
  addDevice: ({ person, body }) => push.add(signedIn(person), body),
  renameDevice: ({ person, params, body }) => push.rename(signedIn(person), params.id, body.name),
  removeDevice: ({ person, params }) => push.remove(signedIn(person), params.id),
  testDevice: ({ person, params }) => push.test(signedIn(person), params.id),
});

/** @throws HttpProblem 409 for a request that did not come through Grafana, 403 for who has not signed in */
function signedIn(person: Person | undefined): Person {
  if (person === undefined || person.anonymous) {
    const kind = person === undefined ? 'conflict' : 'forbidden';
    throw new HttpProblem(kind, 'Devices belong to a person who has signed in to Grafana.');
  }
  return person;
}
