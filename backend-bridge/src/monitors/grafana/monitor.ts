/**
 * Grafana Alerting as a monitor: a rule of fixed uid for each endpoint, in a folder of its own, sent to a contact point of its own,
 * so that the operator's tree of policies stays as it is.
 */
import { CONTACT_POINT } from '../../../contract/contactPoint.ts';
import { type Handover, type HandoverRound, NO_HANDOVER } from '../alertOwnership.ts';
import { QUERIES, type RuleSource } from '../ruleSource.ts';
import { endpointKey, type MonitorWriter, PartlyWritten } from '../reconciler.ts';
import type { WatchedEndpoint } from '../../thresholds/types.ts';
import { type GrafanaClient, listed, Refused, succeeded } from './client.ts';
import { FOLDER_UID, type GrafanaRule, grafanaRule, isRuleUid, says } from './rule.ts';

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
  /** Default: those of queries. */
  rules?: RuleSource;
  /** Where nodes are among them. */
  handover?: Pick<Handover, 'round'>;
}

interface StoredRule {
  uid: string;
  title?: string;
  isPaused?: boolean;
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
  const { rules = QUERIES, handover = NO_HANDOVER } = target;
  return {
    monitor: 'grafana',
    concern: (endpoint) => rules.concern(endpoint),
    async write(endpoints) {
      const round = await handover.round(endpoints);
      let isKnown = false;
      try {
        const written = await writeAll(target, rules, endpoints, round);
        isKnown = true;
        if (written.refused.size > 0) {
          throw new PartlyWritten(written.refused, written.readOnly);
        }
        return written.readOnly;
      } finally {
        round.end(isKnown);
      }
    },
  };
}

/** What came of a round, by {@link endpointKey}. */
interface Written {
  readOnly: Map<string, string>;
  refused: Map<string, string>;
}

async function writeAll(
  target: GrafanaTarget,
  rules: RuleSource,
  endpoints: readonly WatchedEndpoint[],
  round: HandoverRound
): Promise<Written> {
  const { client } = target;
  const stored = await storedRules(client);
  if (endpoints.some((one) => one.on)) {
    await prepare(target);
  }
  const datasource = endpoints.length === 0 ? '' : (target.datasource ?? (await findDatasource(client)));
  const written: Written = { readOnly: new Map(), refused: new Map() };
  const wanted = new Set<string>();
  for (const endpoint of endpoints) {
    const rule = grafanaRule(rules.rule(endpoint), datasource);
    wanted.add(rule.uid);
    await writeOne(client, endpoint, rule, stored.get(rule.uid), round, written);
  }
  const gone = [...stored.values()].filter(({ uid, provenance }) => !wanted.has(uid) && !isFixed(provenance));
  await takeAway(client, gone, written);
  return written;
}

/** What Grafana has against one rule it does not have against the rest. */
async function writeOne(
  client: GrafanaClient,
  endpoint: WatchedEndpoint,
  rule: GrafanaRule,
  stored: StoredRule | undefined,
  round: HandoverRound,
  { readOnly, refused }: Written
): Promise<void> {
  const key = endpointKey(endpoint);
  const kept = round.keeps(endpoint);
  if (kept !== undefined) {
    refused.set(key, kept);
    if (stored === undefined || stored.isPaused === true) {
      return;
    }
  }
  try {
    const reason = await putRule(client, rule, stored);
    if (reason !== undefined) {
      readOnly.set(key, reason);
    }
    round.done(endpoint, reason === undefined ? !rule.isPaused : stored?.isPaused !== true);
  } catch (error) {
    if (!(error instanceof Refused)) {
      throw error;
    }
    refused.set(key, error.message);
    // The one that was there still is.
    round.done(endpoint, stored !== undefined && stored.isPaused !== true);
  }
}

/** Rules whose endpoints are gone. One that Grafana keeps is tried again, and keeps nothing else from being written. */
async function takeAway(client: GrafanaClient, gone: readonly StoredRule[], { refused }: Written): Promise<void> {
  for (const { uid, title, provenance } of gone) {
    const answer = await client.ask('DELETE', `${RULES}/${uid}`, { headers: headersFor(provenance) });
    try {
      succeeded(`the end of the rule ${title ?? uid}`, answer);
    } catch (error) {
      if (!(error instanceof Refused)) {
        throw error;
      }
      refused.set(uid, error.message);
    }
  }
}

/** Rules of ours, by uid. */
async function storedRules(client: GrafanaClient): Promise<Map<string, StoredRule>> {
  const rules = listed<StoredRule>('a question for its rules', await client.ask('GET', RULES));
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
  const folder = await client.ask('GET', `/api/folders/${FOLDER_UID}`);
  if (folder.status !== 404) {
    succeeded('a question for the folder Nodebell', folder);
  } else {
    const body = { uid: FOLDER_UID, title: 'Nodebell' };
    succeeded('the folder Nodebell', await client.ask('POST', '/api/folders', { body }));
  }
  const found = await client.ask('GET', `${CONTACT_POINTS}?name=${CONTACT_POINT}`);
  if (listed('a question for its contact points', found).length === 0) {
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

interface Datasource {
  uid: string;
  type: string;
  isDefault: boolean;
}

async function findDatasource(client: GrafanaClient): Promise<string> {
  const answer = await client.ask('GET', '/api/datasources');
  const all = listed<Datasource>('a question for its data sources', answer);
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
