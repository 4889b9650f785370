/** A rule file for Prometheus (Prometheus documentation, "Alerting rules"): for those who alert there. */
import { plain } from '../../../contract/condition.ts';
import { type AlertRule, literals } from '../alertRule.ts';
import { type Handover, NO_HANDOVER } from '../alertOwnership.ts';
import { QUERIES, type RuleSource } from '../ruleSource.ts';
import { putFile, WRITTEN_BY, yamlText } from '../writtenFile.ts';
import { endpointKey, type MonitorWriter, PartlyWritten } from '../reconciler.ts';
import type { WatchedEndpoint } from '../../thresholds/types.ts';

export interface RunningPrometheus {
  /** Makes it read its files anew (`--web.enable-lifecycle`); it has, when this resolves. @throws Error with a sentence */
  reload(): Promise<void>;
  /** The labels of each rule that it has, as they are written in the file. @throws Error with a sentence */
  listed(): Promise<readonly Readonly<Record<string, string>>[]>;
}

export interface PrometheusTarget {
  /** The file that is written; Prometheus names it, or its folder, in `rule_files`. */
  path: string;
  /** Who reads it; undefined: it reads it when it is told by somebody else, and nobody knows whether it has. */
  prometheus?: RunningPrometheus | undefined;
  /** Default: those of queries. */
  rules?: RuleSource;
  /** Where nodes are among them. */
  handover?: Pick<Handover, 'round'>;
}

/** What the bridge's own rules are among, in Prometheus. */
export const RULE_GROUP = 'nodebell';

/** That it has read its files does not say that ours is one of them. */
const UNLISTED =
  'The rule is written, but Prometheus does not list it: name the file of NODEBELL_PROMETHEUS_RULES in its rule_files, and let it read them.';

const HEAD = `${WRITTEN_BY} from the endpoints of its packages. What is changed here is lost: set it in Nodebell.\n`;

/** The whole file: a rule for each endpoint that is on. */
export function ruleFile(rules: readonly AlertRule[], textOf = ruleText): string {
  const on = rules.filter((rule) => rule.on);
  const group = `groups:\n  - name: ${RULE_GROUP}\n    rules:\n${on.map(textOf).join('')}`;
  return HEAD + (on.length === 0 ? yamlText({ groups: [] }) : group);
}

/** As it stands in the list of its group. */
const ruleText = (rule: AlertRule): string => yamlText([prometheusRule(rule)]).replace(/^(?=.)/gm, '      ');

/** A move of one slider writes the whole file: the text of a rule is kept as long as the rule is. */
function keptTexts(): (rules: readonly AlertRule[]) => string {
  let before = new Map<string, string>();
  return (rules) => {
    const now = new Map<string, string>();
    const text = ruleFile(rules, (rule) => {
      const key = JSON.stringify(rule);
      const one = before.get(key) ?? ruleText(rule);
      now.set(key, one);
      return one;
    });
    before = now;
    return text;
  };
}

function prometheusRule({
  correlationId,
  title,
  expr,
  operator,
  threshold,
  forSeconds,
  labels,
  annotations,
}: AlertRule): object {
  return {
    // A rule without a name would make Prometheus refuse the file.
    alert: title.trim() === '' ? correlationId : title,
    // Lines of its own: the query may end in a comment.
    expr: `(\n${expr}\n) ${operator} ${plain(threshold)}`,
    for: `${forSeconds}s`,
    labels: literals(labels),
    annotations: literals(annotations),
  };
}

/** Prometheus as a monitor. */
export function prometheusMonitor({
  path,
  prometheus,
  rules = QUERIES,
  handover = NO_HANDOVER,
}: PrometheusTarget): MonitorWriter {
  const fileOf = keptTexts();
  /** Written, and not read yet. After a start nobody knows whether Prometheus has read what is there. */
  let isNew = true;
  /** @returns those that have no rule in Prometheus, although there should be one */
  const bring = async (written: readonly WatchedEndpoint[]): Promise<ReadonlySet<WatchedEndpoint>> => {
    const all = new Map(written.map((endpoint) => [endpoint, rules.rule(endpoint)]));
    isNew = (await putFile(path, fileOf([...all.values()]))) || isNew;
    if (isNew) {
      await prometheus?.reload();
      isNew = false;
    }
    const on = [...all].filter(([, rule]) => rule.on);
    if (prometheus === undefined || on.length === 0) {
      return new Set();
    }
    const listed = new Set((await prometheus.listed()).map(nameOf));
    return new Set(on.filter(([, { labels }]) => !listed.has(nameOf(literals(labels)))).map(([endpoint]) => endpoint));
  };
  return {
    monitor: 'prometheus',
    concern: (endpoint) => rules.concern(endpoint),
    async write(endpoints) {
      const round = await handover.round(endpoints);
      const refused = new Map<string, string>();
      for (const endpoint of endpoints) {
        const reason = round.keeps(endpoint);
        if (reason !== undefined) {
          refused.set(endpointKey(endpoint), reason);
        }
      }
      const written = endpoints.filter((one) => !refused.has(endpointKey(one)) || round.stood(one));
      const missing = await bring(written).catch((error: unknown) => {
        round.end(false);
        throw error;
      });
      missing.forEach((endpoint) => refused.set(endpointKey(endpoint), UNLISTED));
      written.forEach((endpoint) => round.done(endpoint, endpoint.on && !missing.has(endpoint)));
      round.end(true);
      if (refused.size > 0) {
        throw new PartlyWritten(refused, new Map());
      }
      return new Map();
    },
  };
}

const nameOf = ({ dnpName, correlationId }: Readonly<Record<string, string>>): string =>
  JSON.stringify([dnpName, correlationId]);
