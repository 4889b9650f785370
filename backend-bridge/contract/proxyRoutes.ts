/** Content of plugin.json that makes Grafana's proxy enforce the roles. Written by `node scripts/pluginAccess.mjs`. */
import { OPERATIONS } from './api.ts';
import { type Action, ACTIONS, grafanaAction, type Role, ROLES } from './roles.ts';

/** One entry of plugin.json's `routes`. */
export interface PluginRoute {
  path: string;
  /** One verb: Grafana does not read lists. */
  method: string;
  reqAction: string;
  /** Read by people: Grafana decides by the action where there is one. */
  reqRole: Role;
  url: string;
  headers: { name: string; content: string }[];
}

/** One entry of plugin.json's `roles`. */
export interface PluginRole {
  role: { name: string; description: string; permissions: { action: string }[] };
  grants: Role[];
}

interface Wanted {
  method: string;
  path: string;
  action: Action;
}

/**
 * The routes, each with one action. An asterisk takes a whole subtree, since Grafana matches nothing finer: operations below it
 * with the same verb must need the same action, or come before it with a path of their own.
 * @throws Error if Grafana cannot distinguish two operations that need different actions
 */
export function pluginRoutes(pluginId: string): PluginRoute[] {
  const wanted = new Map<string, Wanted>();
  for (const { id, method, path, may: action } of OPERATIONS) {
    if (action) {
      const route = { method: method.toUpperCase(), path: proxyPath(path), action };
      const key = `${route.method} ${route.path}`;
      const other = wanted.get(key)?.action ?? action;
      if (other !== action) {
        throw new Error(`${id}: ${key} needs ${action}, and another operation of that route ${other}`);
      }
      wanted.set(key, route);
    }
  }
  const all = [...wanted.values()];
  return all
    .filter((route) => !all.some((wide) => covers(wide, route) && wide.action === route.action))
    .sort((a, b) => Number(isWide(a)) - Number(isWide(b)) || compare(a.path, b.path) || compare(a.method, b.method))
    .map((route) => pluginRoute(pluginId, route));
}

/** One role for all read actions, one for each action that changes something, so that each can be granted alone. */
export function pluginRoles(pluginId: string): PluginRole[] {
  const actions = Object.keys(ACTIONS) as Action[];
  const reading = actions.filter((action) => ACTIONS[action].role === 'Viewer');
  const permissions = (those: Action[]) => those.map((action) => ({ action: grafanaAction(pluginId, action) }));
  const reader: PluginRole = {
    role: {
      name: 'Reader',
      description: `May ${reading.map((action) => ACTIONS[action].may).join('; ')}.`,
      permissions: permissions(reading),
    },
    grants: ['Viewer'],
  };
  const others = actions
    .filter((action) => !reading.includes(action))
    .map((action) => ({
      role: { name: nameOf(action), description: `May ${ACTIONS[action].may}.`, permissions: permissions([action]) },
      grants: [ACTIONS[action].role],
    }));
  return [reader, ...others];
}

/** The rows of the table "who may do what": an action, what it allows, and whether each role has it, anonymous first. */
export function accessRows(): string[][] {
  return (Object.keys(ACTIONS) as Action[]).map((action) => {
    const { may, role, changes } = ACTIONS[action];
    const has = (one: Role): string => (ROLES.indexOf(one) >= ROLES.indexOf(role) ? 'yes' : '');
    return [`\`${action}\``, may, changes ? '' : has('Viewer'), ...ROLES.map(has)];
  });
}

function pluginRoute(pluginId: string, { method, path, action }: Wanted): PluginRoute {
  const token = '{{ .SecureJsonData.bridgeToken }}';
  return {
    path,
    method,
    reqAction: grafanaAction(pluginId, action),
    reqRole: ACTIONS[action].role,
    url: `{{ .JsonData.bridgeUrl }}/${path.replace(/\/\*$/, '')}`,
    headers: [{ name: 'Authorization', content: `Grafana action="${action}", token="${token}"` }],
  };
}

/** Up to the first parameter, and an asterisk in its place. */
function proxyPath(path: string): string {
  const [before = '', ...rest] = path.slice(1).split(/\{\w+\}/);
  return rest.length === 0 ? before : `${before}*`;
}

const isWide = ({ path }: Wanted): boolean => path.endsWith('*');

function covers(wide: Wanted, route: Wanted): boolean {
  return (
    wide !== route && isWide(wide) && wide.method === route.method && route.path.startsWith(wide.path.slice(0, -1))
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** `inbox:write` → `Inbox writer`. */
function nameOf(action: Action): string {
  const [subject = '', verb = ''] = action.split(':');
  const who = { write: 'writer', admin: 'administrator' }[verb] ?? verb;
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)} ${who}`;
}
