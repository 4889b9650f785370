/** Operation `listDashboards`. */
import type { PACKAGES } from '../../../contract/api/packages.ts';
import { show } from '../../../contract/text.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import type { Registry } from '../registry/service.ts';
import { dashboardsOf } from './dashboards.ts';

export const dashboardHandlers = (
  registry: Pick<Registry, 'find'>
): Handlers<Pick<typeof PACKAGES, 'listDashboards'>> => ({
  async listDashboards({ params: { dnpName } }) {
    const registered = await registry.find(dnpName);
    if (registered === undefined) {
      throw new HttpProblem('not-found', `No package ${show(dnpName)} is registered.`);
    }
    return dashboardsOf(registered);
  },
});
