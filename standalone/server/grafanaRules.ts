/**
 * Stands in for Grafana's alert rules: the requests of the tab "Grafana rules", on rules in memory. Its shapes are those of a recorded
 * Grafana 12.4 (tests/fixtures/grafana-rules), to which grafanaRules.test.ts compares them.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readJson, sendJson } from './answers.ts';
import { identify, includesRole } from './identity.ts';

const RULER = '/api/ruler/grafana/api/v1/';
const PROVISIONING = '/api/v1/provisioning/alert-rules/';
const QUERY = '/api/ds/query';

/** Rules can be replaced by POST with a JSON object `{"rules": […]}`, which Grafana does not have. */
export const SEED_PATH = '/api/nodebell-stand-in/rules';

export interface SeededRule {
  uid: string;
  title: string;
  folder: string;
  group: string;
  /** Default: `gt`. */
  operator?: string;
  params: number[];
  recovery?: { type: string; params: number[] };
  /** A duration of Prometheus. Default: `5m`. */
  for?: string;
  /** `file`: provisioned. */
  provenance?: string;
  /** Values of the last week, at equal distances. */
  values?: number[];
}

interface Version {
  rule: SeededRule;
  version: number;
  updated: string;
  by: string;
}

/** Versions of each rule, oldest first. */
export type RuleStore = Map<string, Version[]>;

const EMPTY_METADATA = {
  editor_settings: {
    simplified_query_and_expressions_section: false,
    simplified_notifications_section: false,
  },
};

/** Each rule has a data source of its own, by which a query finds its values. */
const dataSourceOf = ({ uid }: Pick<SeededRule, 'uid'>): string => `testdata-${uid}`;

function dataOf({ uid, operator = 'gt', params, recovery }: SeededRule) {
  const common = { intervalMs: 1000, maxDataPoints: 43_200 };
  const unload = recovery && { unloadEvaluator: { params: recovery.params, type: recovery.type } };
  const conditions = [{ evaluator: { params, type: operator }, ...unload }];
  const query = (refId: string, datasourceUid: string, from: number, model: object) => ({
    ...{ refId, queryType: '', relativeTimeRange: { from, to: 0 }, datasourceUid },
    model: { ...common, refId, ...model },
  });
  return [
    query('A', dataSourceOf({ uid }), 600, { scenarioId: 'random_walk' }),
    query('B', '__expr__', 0, { expression: 'A', reducer: 'last', type: 'reduce' }),
    query('C', '__expr__', 0, { conditions, expression: 'B', type: 'threshold' }),
  ];
}

/** Members that both APIs name alike. */
const sharedMembers = ({ rule, updated }: Version) => ({
  ...{ uid: rule.uid, title: rule.title, condition: 'C', data: dataOf(rule), updated },
  ...(rule.provenance !== undefined && { provenance: rule.provenance }),
});

const timing = ({ rule }: Version) => ({
  ...{ for: rule.for ?? '5m', keep_firing_for: '0s', labels: { severity: 'critical' } },
  annotations: { summary: rule.title },
});

const rulerRule = (one: Version) => ({
  expr: '',
  ...timing(one),
  grafana_alert: {
    ...sharedMembers(one),
    updated_by: { uid: one.by, name: one.by },
    intervalSeconds: 60,
    version: one.version,
    namespace_uid: one.rule.folder.toLowerCase(),
    rule_group: one.rule.group,
    no_data_state: 'NoData',
    exec_err_state: 'Error',
    is_paused: false,
    metadata: EMPTY_METADATA,
    guid: `guid-of-${one.rule.uid}`,
    missing_series_evals_to_resolve: 2,
  },
});

const provisionedRule = (one: Version) => ({
  id: 1,
  orgID: 1,
  ...sharedMembers(one),
  ...timing(one),
  folderUID: one.rule.folder.toLowerCase(),
  ruleGroup: one.rule.group,
  noDataState: 'NoData',
  execErrState: 'Error',
  isPaused: false,
  notification_settings: null,
  record: null,
  missingSeriesEvalsToResolve: 2,
});

const latestOf = (versions: readonly Version[]): Version => versions.at(-1) as Version;

function list(store: RuleStore) {
  const folders: Record<string, Array<{ name: string; interval: string; rules: unknown[] }>> = {};
  for (const versions of store.values()) {
    const latest = latestOf(versions);
    const groups = (folders[latest.rule.folder] ??= []);
    const group = groups.find(({ name }) => name === latest.rule.group);
    if (group) {
      group.rules.push(rulerRule(latest));
    } else {
      groups.push({ name: latest.rule.group, interval: '1m', rules: [rulerRule(latest)] });
    }
  }
  return folders;
}

export function seedRules(store: RuleStore, rules: readonly SeededRule[]): void {
  store.clear();
  const updated = new Date().toISOString();
  rules.forEach((rule) => store.set(rule.uid, [{ rule, version: 1, updated, by: 'admin' }]));
}

interface Evaluator {
  type: string;
  params: number[];
}

interface PutBody {
  data: Array<{ model: { conditions?: Array<{ evaluator: Evaluator; unloadEvaluator?: Evaluator }> } }>;
}

function put(versions: Version[], body: PutBody, by: string): Version {
  const { rule, version } = latestOf(versions);
  const condition = body.data[2]?.model.conditions?.[0];
  const next: Version = {
    rule: {
      ...rule,
      params: condition?.evaluator.params ?? rule.params,
      ...(condition?.unloadEvaluator && { recovery: condition.unloadEvaluator }),
    },
    version: version + 1,
    updated: new Date().toISOString(),
    by,
  };
  versions.push(next);
  return next;
}

interface QueryBody {
  from: string;
  to: string;
  queries: Array<{ datasource: { uid: string } }>;
}

const WEEK_POINTS = 168;

/** A wave around 50, unless the rule has values of its own. The expression `B` returns `A`. */
function week({ from, to }: { from: number; to: number }, values: readonly number[] | undefined) {
  const shown = values ?? Array.from({ length: WEEK_POINTS }, (_, i) => Math.round(50 + 40 * Math.sin(i / 6)));
  const step = (to - from) / Math.max(1, shown.length);
  const frame = {
    schema: {
      refId: 'B',
      fields: [
        { name: 'time', type: 'time', typeInfo: { frame: 'time.Time' } },
        { name: 'value', type: 'number', typeInfo: { frame: 'float64', nullable: true }, labels: {} },
      ],
    },
    data: { values: [shown.map((_, i) => Math.round(from + (i + 1) * step)), shown] },
  };
  return { results: Object.fromEntries(['A', 'B'].map((refId) => [refId, { status: 200, frames: [frame] }])) };
}

const PERMISSION = 'You’ll need additional permissions to perform this action.';

export const isRulesPath = (path: string): boolean =>
  [RULER, PROVISIONING].some((prefix) => path.startsWith(prefix)) || path === QUERY || path === SEED_PATH;

/** @returns once the response is sent */
export async function answerRules(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  store: RuleStore
): Promise<void> {
  const identity = identify(request.headers.cookie);
  const send = (status: number, body: unknown) => sendJson(response, status, body);
  if (path === SEED_PATH && request.method === 'POST') {
    seedRules(store, ((await readJson(request)) as { rules: SeededRule[] }).rules);
    send(200, { message: 'Rules replaced' });
  } else if (path === QUERY) {
    const { from, to, queries } = (await readJson(request)) as QueryBody;
    const dataSources = new Set(queries.map(({ datasource }) => datasource.uid));
    const versions = [...store.values()].find(([first]) => first && dataSources.has(dataSourceOf(first.rule)));
    send(200, week({ from: Number(from), to: Number(to) }, versions?.[0]?.rule.values));
  } else if (path === `${RULER}rules`) {
    send(200, list(store));
  } else {
    await answerOne(request, path, store, { editor: includesRole(identity.role, 'Editor'), by: identity.login, send });
  }
}

async function answerOne(
  request: IncomingMessage,
  path: string,
  store: RuleStore,
  { editor, by, send }: { editor: boolean; by: string; send: (status: number, body: unknown) => void }
): Promise<void> {
  const uid = decodeURIComponent(/\/(?:rule|alert-rules)\/([^/]+)/.exec(path)?.[1] ?? '');
  const versions = store.get(uid);
  if (versions === undefined) {
    send(404, '');
  } else if (path.startsWith(RULER)) {
    send(200, path.endsWith('/versions') ? versions.toReversed().map(rulerRule) : rulerRule(latestOf(versions)));
  } else if (request.method === 'GET') {
    send(200, provisionedRule(latestOf(versions)));
  } else if (!editor) {
    send(403, { accessErrorId: 'ACE0000000000', message: PERMISSION, title: 'Access denied' });
  } else if (
    latestOf(versions).rule.provenance !== undefined ||
    request.headers['x-disable-provenance'] === undefined
  ) {
    send(500, { message: 'Internal Server Error' });
  } else {
    send(200, provisionedRule(put(versions, (await readJson(request)) as PutBody, by)));
  }
}
