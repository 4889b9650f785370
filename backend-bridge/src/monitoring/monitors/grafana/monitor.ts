/**
 * Grafana Alerting as a monitor: a rule with a fixed uid for each endpoint, in a folder of its own, with a contact point of its own. The
 * notification policies of the operator are not changed.
 */
import { CONTACT_POINT } from '../../../../contract/contactPoint.ts';
import { QUERIES, type RuleSource } from '../alertRule.ts';
import { endpointKey, FULL_TRANSFER, type Monitor, type MonitoredEndpoint, type Transfer } from '../monitor.ts';
import { type GrafanaClient, listed, Rejected, succeeded } from './client.ts';
import { FOLDER_UID, type GrafanaRule, grafanaRule, includes, isRuleUid } from './rule.ts';

export interface GrafanaTarget {
  client: GrafanaClient;
  /** uid of the Prometheus data source; undefined: the only one, or the default one. */
  datasource: string | undefined;
  /** The bridge's `/api/v1/webhooks/grafana`, as Grafana reaches it. */
  webhookUrl: () => string;
  /** A sender token, if senders need one. */
  token: string | undefined;
  /** The secret of the signature; undefined: unsigned. */
  webhookSecret: string | undefined;
  /** Default: {@link QUERIES}. */
  rules?: RuleSource;
}

interface StoredRule {
  uid: string;
  title?: string;
  isPaused?: boolean;
  /** "" or absent: created in Grafana, or with X-Disable-Provenance; `api`; `file`; others. */
  provenance?: string;
}

const RULES = '/api/v1/provisioning/alert-rules';
const CONTACT_POINTS = '/api/v1/provisioning/contact-points';
/** Keeps what is created editable in Grafana. The value is ignored. */
const EDITABLE = { 'X-Disable-Provenance': 'true' };
const FROM_FILE =
  "The rule is provisioned by one of Grafana's own files and can only be changed there. Set the threshold in that file.";

interface Sync {
  client: GrafanaClient;
  transfer: Transfer;
  readOnly: Map<string, string>;
  rejected: Map<string, string>;
  active: Set<string>;
}

export function grafanaMonitor(target: GrafanaTarget): Monitor {
  const { client, rules = QUERIES } = target;
  return {
    name: 'grafana',
    support: (endpoint) => rules.support(endpoint),
    async sync(endpoints, transfer = FULL_TRANSFER) {
      const sync: Sync = { client, transfer, readOnly: new Map(), rejected: new Map(), active: new Set() };
      const stored = await storedRules(client);
      if (endpoints.some((one) => one.on)) {
        await prepare(target);
      }
      const datasource = endpoints.length === 0 ? '' : (target.datasource ?? (await findDatasource(client)));
      const wanted = new Set<string>();
      for (const endpoint of endpoints) {
        const rule = grafanaRule(rules.rule(endpoint), datasource);
        wanted.add(rule.uid);
        await syncRule(sync, endpoint, rule, stored.get(rule.uid));
      }
      const obsolete = [...stored.values()].filter(({ uid, provenance }) => !wanted.has(uid) && !isFixed(provenance));
      await deleteRules(sync, obsolete);
      return sync;
    },
  };
}

/** A rejected rule does not prevent the others from being written. */
async function syncRule(
  { client, transfer, readOnly, rejected, active }: Sync,
  endpoint: MonitoredEndpoint,
  rule: GrafanaRule,
  stored: StoredRule | undefined
): Promise<void> {
  const key = endpointKey(endpoint);
  const wasActive = stored !== undefined && stored.isPaused !== true;
  if (transfer.withheld.has(key) && !wasActive) {
    return;
  }
  let isActive = wasActive;
  try {
    const reason = await putRule(client, rule, stored);
    if (reason === undefined) {
      isActive = !rule.isPaused;
    } else {
      readOnly.set(key, reason);
    }
  } catch (error) {
    rejected.set(key, rejection(error));
  }
  if (isActive) {
    active.add(key);
  }
}

/** @throws the error, unless Grafana rejected a single request */
function rejection(error: unknown): string {
  if (error instanceof Rejected) {
    return error.message;
  }
  throw error;
}

async function deleteRules({ client, rejected }: Sync, rules: readonly StoredRule[]): Promise<void> {
  for (const { uid, title, provenance } of rules) {
    const response = await client.request('DELETE', `${RULES}/${uid}`, { headers: headersFor(provenance) });
    try {
      succeeded(`the deletion of the rule ${title ?? uid}`, response);
    } catch (error) {
      rejected.set(uid, rejection(error));
    }
  }
}

/** The rules of the bridge, by uid. */
async function storedRules(client: GrafanaClient): Promise<Map<string, StoredRule>> {
  const rules = listed<StoredRule>('the request for its rules', await client.request('GET', RULES));
  return new Map(rules.filter(({ uid }) => isRuleUid(uid)).map((rule) => [rule.uid, rule]));
}

/** @returns why it cannot be changed; undefined if it is up to date */
async function putRule(
  client: GrafanaClient,
  rule: GrafanaRule,
  stored: StoredRule | undefined
): Promise<string | undefined> {
  if (stored === undefined) {
    if (!rule.isPaused) {
      succeeded(`the rule ${rule.title}`, await client.request('POST', RULES, { body: rule, headers: EDITABLE }));
    }
    return undefined;
  }
  if (includes(stored, rule)) {
    return undefined;
  }
  if (isFixed(stored.provenance)) {
    return FROM_FILE;
  }
  const options = { body: rule, headers: headersFor(stored.provenance) };
  succeeded(`the rule ${rule.title}`, await client.request('PUT', `${RULES}/${rule.uid}`, options));
  return undefined;
}

const isFixed = (provenance = ''): boolean => provenance !== '' && provenance !== 'api';
/** Grafana rejects a change of provenance: a rule created without the header is updated without it. */
const headersFor = (provenance = ''): Record<string, string> => (provenance === '' ? EDITABLE : {});

/** Creates the folder and the contact point if they are missing. */
async function prepare({ client, webhookUrl, token, webhookSecret }: GrafanaTarget): Promise<void> {
  const folder = await client.request('GET', `/api/folders/${FOLDER_UID}`);
  if (folder.status !== 404) {
    succeeded('the request for the folder Nodebell', folder);
  } else {
    const body = { uid: FOLDER_UID, title: 'Nodebell' };
    succeeded('the folder Nodebell', await client.request('POST', '/api/folders', { body }));
  }
  const found = await client.request('GET', `${CONTACT_POINTS}?name=${CONTACT_POINT}`);
  if (listed('the request for its contact points', found).length === 0) {
    const body = {
      uid: 'nodebell',
      name: CONTACT_POINT,
      type: 'webhook',
      settings: {
        url: webhookUrl(),
        httpMethod: 'POST',
        ...(token !== undefined && { authorization_scheme: 'Bearer', authorization_credentials: token }),
        ...(webhookSecret !== undefined && { hmacConfig: { secret: webhookSecret } }),
      },
      disableResolveMessage: false,
    };
    succeeded('the contact point Nodebell', await client.request('POST', CONTACT_POINTS, { body, headers: EDITABLE }));
  }
}

interface Datasource {
  uid: string;
  type: string;
  isDefault: boolean;
}

async function findDatasource(client: GrafanaClient): Promise<string> {
  const response = await client.request('GET', '/api/datasources');
  const all = listed<Datasource>('the request for its data sources', response);
  const prometheus = all.filter(({ type }) => type === 'prometheus');
  const chosen = prometheus.length === 1 ? prometheus[0] : prometheus.find(({ isDefault }) => isDefault);
  if (chosen === undefined) {
    const names = prometheus.map(({ uid }) => uid).join(', ');
    throw new Error(
      `Grafana has ${prometheus.length === 0 ? 'no Prometheus data source' : `several Prometheus data sources (${names}), and none is the default`}: set NODEBELL_GRAFANA_DATASOURCE to the uid of one.`
    );
  }
  return chosen.uid;
}
