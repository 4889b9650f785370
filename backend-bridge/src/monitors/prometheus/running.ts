/** The Prometheus that reads the rule file: told to read it, and asked which rules it has (its management API and HTTP API, "Rules"). */
import { z } from 'zod';
import { RULE_GROUP, type RunningPrometheus } from './rules.ts';

/** Of an answer: what is looked at. Groups of other files have rules of other shapes. */
const ANSWER = z.object({
  data: z.object({
    groups: z.array(
      z.object({
        name: z.string(),
        rules: z.array(z.object({ type: z.string(), labels: z.record(z.string(), z.string()).optional() })),
      })
    ),
  }),
});

const TIMEOUT_MS = 10_000;

/**
 * All errors are sentences that say what to do.
 * @param url where Prometheus answers, from the operator
 * @param token sent as a bearer token
 */
export function runningPrometheus(url: string, token?: string, ask: typeof fetch = fetch): RunningPrometheus {
  const asked = (path: string, method: 'GET' | 'POST'): Promise<Response> =>
    ask(`${url.replace(/\/$/, '')}${path}`, {
      method,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new Error(`The rules are written, but Prometheus does not answer (${(error as Error).message}).`);
    });
  return {
    async reload() {
      const answer = await asked('/-/reload', 'POST');
      await answer.body?.cancel();
      if (!answer.ok) {
        const why = answer.status === 403 ? 'start it with --web.enable-lifecycle' : 'see its log';
        throw new Error(`The rules are written, but Prometheus does not read them (${answer.status}): ${why}.`);
      }
    },
    async listed() {
      // Older versions know `type` only, and answer with all groups.
      const filters = new URLSearchParams({ type: 'alert', 'rule_group[]': RULE_GROUP, exclude_alerts: 'true' });
      const answer = await asked(`/api/v1/rules?${filters.toString()}`, 'GET');
      const read = ANSWER.safeParse(answer.ok ? await answer.json().catch(() => undefined) : undefined);
      if (!read.success) {
        throw new Error(
          `The rules are written, but Prometheus does not say whether it has them (${answer.status} to /api/v1/rules). ` +
            'Does NODEBELL_PROMETHEUS_URL lead to it, and may the bridge ask?'
        );
      }
      const groups = read.data.data.groups.filter(({ name }) => name === RULE_GROUP);
      return groups.flatMap(({ rules }) => rules.map(({ labels }) => labels ?? {}));
    },
  };
}
