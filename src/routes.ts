import { urlSegment, urlValue } from '@nodebell/contract/url.ts';
import pluginJson from '../plugin.json' with { type: 'json' };

export const PLUGIN_ID = pluginJson.id;
export const PLUGIN_BASE_URL = `/a/${PLUGIN_ID}`;
/** Grafana’s own page of the app, which shows its configuration. */
export const CONFIG_URL = `/plugins/${PLUGIN_ID}`;

/** A page of the documentation. */
export const docsUrl = (page: string): string =>
  new URL(page, pluginJson.info.links.find(({ name }) => name === 'Documentation')?.url).href;

/** Every page of the app, once. Paths are relative to PLUGIN_BASE_URL. */
export const routes = {
  inbox: 'inbox',
  thresholds: 'thresholds',
  chains: 'chains',
  silences: 'silences',
  onCall: 'on-call',
  channels: 'channels',
  report: 'report',
  packages: 'packages',
  addPackage: 'packages/add',
  package: 'packages/:dnpName',
  updatePackage: 'packages/:dnpName/update',
} as const;

/** Paths of the pages within Grafana, for links. */
export const pathTo = {
  thresholds: `${PLUGIN_BASE_URL}/${routes.thresholds}`,
  thresholdsOf: (dnpName: string) => `${PLUGIN_BASE_URL}/${routes.thresholds}?q=${urlValue(dnpName)}`,
  /** Rules of Grafana with this name. */
  ruleOf: (rule: string) => `${PLUGIN_BASE_URL}/${routes.thresholds}?tab=rules&q=${urlValue(rule)}`,
  inbox: `${PLUGIN_BASE_URL}/${routes.inbox}`,
  chains: `${PLUGIN_BASE_URL}/${routes.chains}`,
  silences: `${PLUGIN_BASE_URL}/${routes.silences}`,
  onCall: `${PLUGIN_BASE_URL}/${routes.onCall}`,
  channels: `${PLUGIN_BASE_URL}/${routes.channels}`,
  report: `${PLUGIN_BASE_URL}/${routes.report}`,
  packages: `${PLUGIN_BASE_URL}/${routes.packages}`,
  addPackage: `${PLUGIN_BASE_URL}/${routes.addPackage}`,
  package: (dnpName: string) => `${PLUGIN_BASE_URL}/packages/${urlSegment(dnpName)}`,
  updatePackage: (dnpName: string) => `${PLUGIN_BASE_URL}/packages/${urlSegment(dnpName)}/update`,
  inboxOf: (dnpName: string) => `${PLUGIN_BASE_URL}/${routes.inbox}?dnpName=${urlValue(dnpName)}`,
  notification: (id: number) => `${PLUGIN_BASE_URL}/${routes.inbox}?id=${id}`,
  /** The dialog that silences the rule of an alert. */
  silenceOf: (id: number) => `${PLUGIN_BASE_URL}/${routes.inbox}?id=${id}&silence=rule`,
  /** The threads of a burst. */
  burst: (id: number) => `${PLUGIN_BASE_URL}/${routes.inbox}?burst=${id}`,
};
