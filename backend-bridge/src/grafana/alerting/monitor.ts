/**
 * Grafana Alerting as a monitor: a rule of fixed uid for each endpoint, in a folder of its own, sent to a contact point of its own,
 * so that the operator's tree of policies stays as it is.
 */
import { alertRule, ruleConcern } from '../../monitors/alertRule.ts';
import { endpointKey, type MonitorWriter, PartlyWritten } from '../../thresholds/effects.ts';
import type { WatchedEndpoint } from '../../thresholds/types.ts';
import { type GrafanaClient, Refused, succeeded } from './client.ts';
import { CONTACT_POINT, FOLDER_UID, type GrafanaRule, grafanaRule, isRuleUid, says } from './rule.ts';

export interface GrafanaTarget {
  client: GrafanaClient;
  /** uid of the Prometheus data source; undefined: Grafana is asked for the one it has. */
  datasource: string | undefined;
  /** Where Grafana posts alerts: the bridge's `/api/v1/webhooks/grafana`, as Grafana reaches it. */
  webhookUrl: () => string;
  /** A sender's token, where senders need one. */
  token: string | undefined;
  /** The secret of the signature; undefined: unsigned. */
  webhookSecret: string | undefined;
}

interface StoredRule {
  uid: string;
  /** "" or absent: made by hand or with X-Disable-Provenance; `api`; `file`; others. */
  provenance?: string;
}

const RULES = '/api/v1/provisioning/alert-rules';
const CONTACT_POINTS = '/api/v1/provisioning/contact-points';
/** Only its presence counts: what is written so stays open to be edited in Grafana. */
const EDITABLE = { 'X-Disable-Provenance': 'true' };
const FROM_FILE =
  "The rule comes from one of Grafana's provisioning files, so only that file can change it: set the number there.";

export function grafanaMonitor(target: GrafanaTarget): MonitorWriter {
  return {
    monitor: 'grafana',
    concern: ruleConcern,
    async write(endpoints) {
      const stored = await storedRules(target.client);
      const readOnly = new Map<string, string>();
      if (endpoints.some((one) => one.on)) {
        await prepare(target);
      }
      const datasource = endpoints.length === 0 ? '' : (target.datasource ?? (await findDatasource(target.client)));
      const refused = new Map<string, string>();
      const wanted = new Set<string>();
      for (const endpoint of endpoints) {
        const rule = grafanaRule(alertRule(endpoint), datasource);
        wanted.add(rule.uid);
        const key = endpointKey(endpoint satisfies WatchedEndpoint);
        try {
          const reason = await putRule(target.client, rule, stored.get(rule.uid));
          if (reason !== undefined) {
            readOnly.set(key, reason);
          }
        } catch (error) {
          // What Grafana has against one rule it does not have against the rest.
          if (!(error instanceof Refused)) {
            throw error;
          }
          refused.set(key, error.message);
        }
      }
      for (const [uid, { provenance }] of stored) {
        if (!wanted.has(uid) && !isFixed(provenance)) {
          const answer = await target.client.ask('DELETE', `${RULES}/${uid}`, { headers: headersFor(provenance) });
          succeeded('the end of a rule', answer);
        }
      }
      if (refused.size > 0) {
        throw new PartlyWritten(refused, readOnly);
      }
      return readOnly;
    },
  };
}

/** Rules of ours, by uid. */
async function storedRules(client: GrafanaClient): Promise<Map<string, StoredRule>> {
  const rules = succeeded('a question for its rules', await client.ask('GET', RULES)) as StoredRule[];
  return new Map(rules.filter(({ uid }) => isRuleUid(uid)).map((rule) => [rule.uid, rule]));
}

/** @returns why it cannot be changed; undefined when it says now what it should */
async function putRule(
  client: GrafanaClient,
  rule: GrafanaRule,
  stored: StoredRule | undefined
): Promise<string | undefined> {
  if (stored === undefined) {
    // One that is off and not there needs no rule.
    if (!rule.isPaused) {
      succeeded(`the rule ${rule.title}`, await client.ask('POST', RULES, { body: rule, headers: EDITABLE }));
    }
    return undefined;
  }
  if (says(stored, rule)) {
    return undefined;
  }
  if (isFixed(stored.provenance)) {
    return FROM_FILE;
  }
  const options = { body: rule, headers: headersFor(stored.provenance) };
  succeeded(`the rule ${rule.title}`, await client.ask('PUT', `${RULES}/${rule.uid}`, options));
  return undefined;
}

const isFixed = (provenance = ''): boolean => provenance !== '' && provenance !== 'api';
/** What was written through the API without the header keeps its provenance only without it; a change of it is refused. */
const headersFor = (provenance = ''): Record<string, string> => (provenance === '' ? EDITABLE : {});

/** The folder and the contact point, where they are not there yet. */
async function prepare({ client, webhookUrl, token, webhookSecret }: GrafanaTarget): Promise<void> {
  if ((await client.ask('GET', `/api/folders/${FOLDER_UID}`)).status === 404) {
    const body = { uid: FOLDER_UID, title: 'Nodebell' };
    succeeded('the folder Nodebell', await client.ask('POST', '/api/folders', { body }));
  }
  const found = await client.ask('GET', `${CONTACT_POINTS}?name=${CONTACT_POINT}`);
  if ((succeeded('a question for its contact points', found) as unknown[]).length === 0) {
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
    succeeded('the contact point Nodebell', await client.ask('POST', CONTACT_POINTS, { body, headers: EDITABLE }));
  }
}

async function findDatasource(client: GrafanaClient): Promise<string> {
  const answer = await client.ask('GET', '/api/datasources');
  const all = succeeded('a question for its data sources', answer) as {
    uid: string;
    type: string;
    isDefault: boolean;
  }[];
  const prometheus = all.filter(({ type }) => type === 'prometheus');
  const chosen = prometheus.length === 1 ? prometheus[0] : prometheus.find(({ isDefault }) => isDefault);
  if (chosen === undefined) {
    const names = prometheus.map(({ uid }) => uid).join(', ');
    throw new Error(
      `Grafana has ${prometheus.length === 0 ? 'no Prometheus data source' : `several (${names}), and none is the default`}: name the uid of one in NODEBELL_GRAFANA_DATASOURCE.`
    );
  }
  return chosen.uid;
}
