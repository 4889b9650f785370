/** Prometheus as a monitor: a file of alerting rules (Prometheus documentation, "Alerting rules"). */
import { plain } from '../../../../contract/condition.ts';
import { type AlertRule, literals, QUERIES, type RuleSource } from '../alertRule.ts';
import { endpointKey, FULL_TRANSFER, type Monitor, type MonitoredEndpoint } from '../monitor.ts';
import { keptTexts, putFile, WRITTEN_BY, yamlText } from '../writtenFile.ts';
import { type PrometheusClient, RULE_GROUP } from './client.ts';

export interface PrometheusTarget {
  /** The rule file; listed in `rule_files` of Prometheus, itself or its folder. */
  path: string;
  /** Undefined: Prometheus is reloaded by other means, and whether it has the rules is unknown. */
  prometheus?: Pick<PrometheusClient, 'reload' | 'ruleLabels'> | undefined;
  /** Default: {@link QUERIES}. */
  rules?: RuleSource;
}

/** A reload does not prove that the file is listed in `rule_files`. */
const NOT_LOADED =
  'The rule is written, but Prometheus has not loaded it: add the file of NODEBELL_PROMETHEUS_RULES to its rule_files, and make it readable for Prometheus.';

const HEAD = `${WRITTEN_BY} from the endpoints of its packages. Changes to this file are overwritten; use Nodebell.\n`;

/** The content of the file: a rule for each endpoint that is on. */
export function ruleFile(rules: readonly AlertRule[]): string {
  const on = rules.filter((rule) => rule.on);
  const group = `groups:\n  - name: ${RULE_GROUP}\n    rules:\n${textsOf(on)}`;
  return HEAD + (on.length === 0 ? yamlText({ groups: [] }) : group);
}

const textsOf = keptTexts((rule: AlertRule) => yamlText([prometheusRule(rule)]).replace(/^(?=.)/gm, '      '));

function prometheusRule(rule: AlertRule): object {
  return {
    // Prometheus rejects a file with a rule without a name.
    alert: rule.title.trim() === '' ? rule.correlationId : rule.title,
    // On lines of its own: the query may end with a comment.
    expr: `(\n${rule.expr}\n) ${rule.operator} ${plain(rule.threshold)}`,
    for: `${rule.forSeconds}s`,
    labels: literals(rule.labels),
    annotations: literals(rule.annotations),
  };
}

export function prometheusMonitor({ path, prometheus, rules = QUERIES }: PrometheusTarget): Monitor {
  /** Written but not loaded; also after a start, when it is unknown. */
  let isNew = true;
  /** @returns endpoints whose rule Prometheus has not loaded */
  const write = async (endpoints: readonly MonitoredEndpoint[]): Promise<ReadonlySet<MonitoredEndpoint>> => {
    const all = new Map(endpoints.map((endpoint) => [endpoint, rules.rule(endpoint)]));
    isNew = (await putFile(path, ruleFile([...all.values()]))) || isNew;
    if (isNew) {
      await prometheus?.reload();
      isNew = false;
    }
    const on = [...all].filter(([, rule]) => rule.on);
    if (prometheus === undefined || on.length === 0) {
      return new Set();
    }
    const loaded = new Set((await prometheus.ruleLabels()).map(nameOf));
    return new Set(on.filter(([, { labels }]) => !loaded.has(nameOf(literals(labels)))).map(([endpoint]) => endpoint));
  };
  return {
    name: 'prometheus',
    support: (endpoint) => rules.support(endpoint),
    async sync(endpoints, { withheld, active } = FULL_TRANSFER) {
      const written = endpoints.filter((one) => !withheld.has(endpointKey(one)) || active.has(endpointKey(one)));
      const missing = await write(written);
      return {
        readOnly: new Map(),
        rejected: new Map([...missing].map((endpoint) => [endpointKey(endpoint), NOT_LOADED])),
        active: new Set(written.filter((one) => one.on && !missing.has(one)).map(endpointKey)),
      };
    },
  };
}

const nameOf = ({ dnpName, correlationId }: Readonly<Record<string, string>>): string =>
  JSON.stringify([dnpName, correlationId]);
