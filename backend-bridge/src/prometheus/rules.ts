/** A rule file for Prometheus (Prometheus documentation, "Alerting rules"): for those who alert there. */
import { plain } from '../../contract/condition.ts';
import { type AlertRule, alertRule, literals, ruleConcern } from '../monitors/alertRule.ts';
import { putFile, WRITTEN_BY, yamlText } from '../monitors/writtenFile.ts';
import type { MonitorWriter } from '../thresholds/effects.ts';

export interface PrometheusTarget {
  /** The file that is written; Prometheus names it, or its folder, in `rule_files`. */
  path: string;
  /** Asks Prometheus to read it now; undefined: it reads it when it is told by somebody else. */
  reload?: (() => Promise<void>) | undefined;
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
export function prometheusMonitor({ path, reload }: PrometheusTarget): MonitorWriter {
  /** Written, and not read yet. After a start nobody knows whether Prometheus has read what is there. */
  let isNew = true;
  return {
    monitor: 'prometheus',
    concern: ruleConcern,
    async write(endpoints) {
      isNew = (await putFile(path, ruleFile(endpoints.map(alertRule)))) || isNew;
      if (isNew) {
        await reload?.();
        isNew = false;
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
