/** Operations on endpoints and their settings. */
import type { THRESHOLDS } from '../../../contract/api/thresholds.ts';
import { invalid } from '../../platform/http/problem.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import type { History } from '../monitors/prometheus/history.ts';
import type { SettingsExchange } from './exchange.ts';
import type { Thresholds } from './service.ts';

export const thresholdHandlers = (
  thresholds: Thresholds,
  exchange: SettingsExchange,
  history: Pick<History, 'ofEndpoint'>
): Handlers<typeof THRESHOLDS> => ({
  listEndpoints: () => thresholds.overview(),
  packageEndpoints: ({ params }) => thresholds.ofPackage(params.dnpName),
  async endpointHistory({ params, query }) {
    const endpoint = await thresholds.monitoredOne(params.dnpName, params.correlationId);
    return history.ofEndpoint(endpoint, query.threshold);
  },
  setEndpoint({ params, body, by }) {
    rejectEmpty(body, 'enabled, threshold or both');
    return thresholds.setEndpoint(params.dnpName, params.correlationId, body, by);
  },
  setPackage({ params, body, by }) {
    rejectEmpty(body, 'enabled, forget or both');
    return thresholds.setPackage(params.dnpName, body, by);
  },
  exportSettings: () => exchange.take(),
  importSettings: ({ body, by }) => exchange.put(body.settings, { dryRun: body.dryRun ?? false, by }),
  settingHistory: ({ query: { limit = 100, dnpName, before } }) =>
    exchange.history({ limit, ...(dnpName !== undefined && { dnpName }), ...(before !== undefined && { before }) }),
});

/** @throws HttpProblem 400 */
function rejectEmpty(change: object, allowed: string): void {
  if (Object.values(change).every((value) => value === undefined)) {
    const detail = `The body is empty: set ${allowed}.`;
    throw invalid([{ pointer: '#', found: '{}', allowed, detail }], 'the body');
  }
}
