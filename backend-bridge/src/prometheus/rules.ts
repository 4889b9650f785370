/** A rule file for Prometheus (Prometheus documentation, "Alerting rules"): for those who alert there. */
import { plain } from '../../contract/condition.ts';
import { type AlertRule, literals } from '../monitors/alertRule.ts';
import { type Handover, NO_HANDOVER } from '../monitors/handover.ts';
import { QUERIES, type RuleSource } from '../monitors/ruleSource.ts';
import { putFile, WRITTEN_BY, yamlText } from '../monitors/writtenFile.ts';
import { endpointKey, type MonitorWriter, PartlyWritten } from '../thresholds/effects.ts';

export interface PrometheusTarget {
  /** The file that is written; Prometheus names it, or its folder, in `rule_files`. */
  path: string;
  /** Asks Prometheus to read it now; undefined: it reads it when it is told by somebody else. */
  reload?: (() => Promise<void>) | undefined;
  /** Default: those of queries. */
  rules?: RuleSource;
  /** Where nodes are among them. */
  handover?: Pick<Handover, 'round'>;
}

/** The whole file: a rule for each endpoint that is on. Pure. */
export function ruleFile(rules: readonly AlertRule[]): string {
  const on = rules.filter((rule) => rule.on);
  const groups = on.length === 0 ? [] : [{ name: 'nodebell', rules: on.map(prometheusRule) }];
  return `${WRITTEN_BY} from the endpoints of its packages. What is changed here is lost: set it in Nodebell.\n${yamlText({ groups })}`;
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
  reload,
  rules = QUERIES,
  handover = NO_HANDOVER,
}: PrometheusTarget): MonitorWriter {
  /** Written, and not read yet. After a start nobody knows whether Prometheus has read what is there. */
  let isNew = true;
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
      try {
        isNew = (await putFile(path, ruleFile(written.map((endpoint) => rules.rule(endpoint))))) || isNew;
        if (isNew) {
          await reload?.();
          isNew = false;
        }
      } catch (error) {
        round.end(false);
        throw error;
      }
      written.forEach((endpoint) => round.done(endpoint, endpoint.on));
      round.end(true);
      if (refused.size > 0) {
        throw new PartlyWritten(refused, new Map());
      }
      return new Map();
    },
  };
}

/** Asks Prometheus to read its files anew (`--web.enable-lifecycle`). @throws Error with a sentence that says what to do */
export async function reloadPrometheus(url: string, token?: string, ask: typeof fetch = fetch): Promise<void> {
  const answer = await ask(`${url.replace(/\/$/, '')}/-/reload`, {
    method: 'POST',
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  }).catch((error: unknown) => {
    throw new Error(`The rules are written, but Prometheus does not answer (${(error as Error).message}).`);
  });
  if (!answer.ok) {
    const why = answer.status === 403 ? 'start it with --web.enable-lifecycle' : 'see its log';
    throw new Error(`The rules are written, but Prometheus does not read them (${answer.status}): ${why}.`);
  }
}
