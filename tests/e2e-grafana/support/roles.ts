import { PROXY } from './grafana.ts';
import { readableBy, refusedTo } from './routesOf.ts';
import { expect, test } from './test.ts';

/** Words of Grafana's proxy (pkg/api/pluginproxy) for a route that the user may not take. */
const REFUSED = 'plugin proxy route access denied';

/** The routes of plugin.json, driven by hand with the session of this role. */
export function testRoutes(role: 'Viewer' | 'Editor' | 'Admin'): void {
  for (const { method, path, reqRole } of refusedTo(role)) {
    test(`${method} ${path}, for ${reqRole}s, is refused to a ${role}`, async ({ grafana }) => {
      const answer = await grafana.ask(method, `${PROXY}/${path}`, method === 'GET' ? undefined : []);
      expect([answer.status(), ((await answer.json()) as { message: string }).message]).toEqual([403, REFUSED]);
    });
  }
  for (const { path } of readableBy(role)) {
    test(`a ${role} reaches the bridge by GET ${path}`, async ({ grafana }) => {
      const answer = await grafana.ask('GET', `${PROXY}/${path}`);
      // Not there, or without what it needs, is said by the bridge too; refused, or out of reach, is not.
      expect([200, 204, 400, 404], await answer.text()).toContain(answer.status());
      expect(await answer.text()).not.toContain(REFUSED);
    });
  }
}
