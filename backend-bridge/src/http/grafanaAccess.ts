/**
 * What a person who comes through Grafana may do. Grafana's proxy has judged the person by the route that fitted (plugin.json),
 * and the route tells the bridge the action it stands for. Paths are read by two servers, so the bridge finds the action of the
 * operation that it is about to run by itself: where the two differ, somebody found a path that leads past a route.
 */
import { pathToRegexp } from 'path-to-regexp';
import { OPERATIONS } from '../../contract/api.ts';
import { type Action, ACTIONS, includesRole, OPERATION_ACTIONS } from '../../contract/roles.ts';
import type { Person } from './identity.ts';
import { HttpProblem } from './problem.ts';

/** Ids that may hold slashes. */
const LONG = /\{(correlationId|category)\}/g;

const RULES = OPERATIONS.map(({ method, path, id }) => ({
  method: method.toUpperCase(),
  path: pathToRegexp(path.replace(LONG, '*$1').replace(/\{(\w+)\}/g, ':$1')).regexp,
  literal: !path.includes('{'),
  action: OPERATION_ACTIONS[id],
})).sort((a, b) => Number(b.literal) - Number(a.literal));

/**
 * The action that an operation needs.
 * @returns null when it is not offered through Grafana, undefined when there is no such operation
 */
export function actionFor(method: string, path: string): Action | null | undefined {
  const asked = method === 'HEAD' ? 'GET' : method;
  const rule = RULES.find((one) => one.method === asked && one.path.test(path));
  return rule && (rule.action ?? null);
}

/**
 * @param routed the action of the route by which Grafana let the person through. Undefined: it was not told, as behind a proxy
 * of another make, and the person's role decides.
 * @throws HttpProblem 403 when the person may not do this; 404 when there is nothing to be done
 */
export function authorise(person: Person, routed: string | undefined, method: string, path: string): void {
  const action = actionFor(method, path);
  if (action === undefined) {
    throw new HttpProblem('not-found', 'There is nothing here. /api/v1/openapi.json lists every path.');
  }
  if (action === null) {
    throw new HttpProblem('forbidden', 'This is not offered through Grafana.');
  }
  const { changes, may, role } = ACTIONS[action];
  if (routed !== undefined && routed !== action) {
    throw new HttpProblem(
      'forbidden',
      `This needs the action ${action}, and Grafana let the request through for another. The plugin may be of another version than the bridge.`
    );
  }
  if (routed === undefined && !includesRole(person.role, role)) {
    throw new HttpProblem('forbidden', `This needs the role ${role}, which may ${may}.`);
  }
  if (changes && person.anonymous) {
    throw new HttpProblem('forbidden', 'Nothing is changed for who has not signed in to Grafana.');
  }
}
