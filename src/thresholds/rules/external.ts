/**
 * Alert rules that other rulers evaluate: Prometheus, Mimir, Loki. Grafana passes on their response, which is that of Prometheus'
 * GET /api/v1/rules. Their thresholds are part of a query, so they are only shown. Pure.
 */
import { z } from 'zod';
import { finder } from '../../components/folded';

/** A data source with rules. */
export interface Ruler {
  uid: string;
  name: string;
}

export interface ExternalRule {
  /** Unique within the data source. */
  key: string;
  title: string;
  group: string;
  /** Path of a file of Prometheus, namespace of Mimir and Loki. */
  file: string;
  query: string;
  forSeconds: number;
}

/** `error`: the rules could not be loaded. */
export interface RulerRules {
  ruler: Ruler;
  rules: readonly ExternalRule[];
  error?: Error | null;
}

export const externalSchema = z.looseObject({
  data: z.looseObject({
    groups: z.array(
      z.looseObject({
        name: z.string(),
        file: z.string().catch(''),
        rules: z.array(
          z.looseObject({
            type: z.string(),
            name: z.string(),
            query: z.string(),
            duration: z.number().catch(0),
          })
        ),
      })
    ),
  }),
});

/** Without recording rules. */
export const readExternal = (response: unknown): ExternalRule[] =>
  externalSchema
    .parse(response)
    .data.groups.flatMap(({ name: group, file, rules }) =>
      rules.flatMap(({ type, name: title, query, duration: forSeconds }, index) =>
        type === 'alerting'
          ? [{ key: JSON.stringify([file, group, index]), title, group, file, query, forSeconds }]
          : []
      )
    );

/** Every term must occur in title, group, file, query or the name of the data source. Data sources without a match are left out. */
export function searchExternal(all: readonly RulerRules[], q: string): RulerRules[] {
  const isFound = finder(q);
  return all
    .map(({ rules, ...source }) => ({
      ...source,
      rules: rules.filter(({ title, group, file, query }) => isFound([title, group, file, query, source.ruler.name])),
    }))
    .filter(({ ruler, rules, error }) => rules.length > 0 || (error && isFound([ruler.name])));
}

export const countExternal = (all: readonly RulerRules[]): number =>
  all.reduce((sum, { rules }) => sum + rules.length, 0);
