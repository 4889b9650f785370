import plugin from '../../../plugin.json' with { type: 'json' };

const RANK = ['Viewer', 'Editor', 'Admin'];

export interface Route {
  method: string;
  path: string;
  reqRole: string;
}

/** For an asterisk, a path that does not exist: users with access get the bridge's 404. */
const named = ({ method, path, reqRole }: Route): Route => ({
  method,
  path: path.replace('*', 'nodebell-e2e-nothing'),
  reqRole,
});

/** Routes that this role may not take. Each must be refused by Grafana, before the bridge hears of it. */
export const refusedTo = (role: string): Route[] =>
  plugin.routes.filter(({ reqRole }) => RANK.indexOf(reqRole) > RANK.indexOf(role)).map(named);

/** Routes that this role may read. The stream of events has no end, and is left out. */
export const readableBy = (role: string): Route[] =>
  plugin.routes
    .filter(({ method, path }) => method === 'GET' && path !== 'api/v1/events')
    .filter(({ reqRole }) => RANK.indexOf(reqRole) <= RANK.indexOf(role))
    .map(named);
