/** Queries and changes of rules of Grafana. */
import {
  queryOptions,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Ruler, RulerRules } from './external';
import { getWeek, listExternal, listRulers, listRules, listVersions, RuleConflict, saveRule } from './requests';
import type { Rule, RuleThreshold, RuleValues } from './rule';

const rulesKey = ['rules'] as const;
/** Grafana reports no changes of rules. */
const RELOAD_MS = 60_000;

export const rulesQuery = () =>
  queryOptions({
    queryKey: [...rulesKey, 'list'],
    queryFn: listRules,
    staleTime: 5_000,
    refetchInterval: RELOAD_MS,
    refetchOnWindowFocus: true,
  });

const WEEK_STALE_MS = 300_000;

/** The key has the queries: a rule whose threshold alone has changed needs no new values. */
export const weekQuery = (rule: Rule, threshold: RuleThreshold) =>
  queryOptions({
    queryKey: [...rulesKey, 'week', rule.uid, threshold.input, threshold.reducer, rule.data.filter(isQuery)],
    queryFn: () => getWeek(rule, threshold),
    staleTime: WEEK_STALE_MS,
    gcTime: WEEK_STALE_MS,
  });

const isQuery = ({ model }: Rule['data'][number]) => model.type !== 'threshold' && model.type !== 'classic_conditions';

export const versionsQuery = (rule: Rule) =>
  queryOptions({
    queryKey: [...rulesKey, 'versions', rule.uid, rule.version],
    queryFn: () => listVersions(rule),
    staleTime: 0,
    gcTime: 0,
  });

const externalQuery = (ruler: Ruler) =>
  queryOptions({
    queryKey: [...rulesKey, 'external', ruler.uid],
    queryFn: () => listExternal(ruler),
    staleTime: RELOAD_MS,
    refetchInterval: RELOAD_MS,
  });

/** The rules of other rulers, data sources in the order of their names. They appear as they are loaded. */
export function useExternalRules(): RulerRules[] {
  const [rulers] = useState(listRulers);
  return useQueries({
    queries: rulers.map(externalQuery),
    combine: (results) =>
      results.map(({ data = [], error }, index) => ({ ruler: rulers[index]!, rules: data, error: error ?? null })),
  });
}

function put(client: QueryClient, rule: Rule) {
  client.setQueryData(rulesQuery().queryKey, (rules) => rules?.map((one) => (one.uid === rule.uid ? rule : one)));
}

/** Other tabs of the browser reload when one of them has saved a rule. */
const CHANNEL = 'nodebell-rules';

/** All rules, also those that another tab has changed. */
export function useRules() {
  const client = useQueryClient();
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = () => void client.invalidateQueries({ queryKey: rulesQuery().queryKey });
    return () => channel.close();
  }, [client]);
  return useQuery(rulesQuery());
}

function notifyOtherTabs() {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('saved');
  channel.close();
}

/** Saves a rule. The caller shows errors; after a conflict the list has the rule as it is now. */
export function useSaveRule() {
  const client = useQueryClient();
  return useMutation({
    scope: { id: 'rules' },
    meta: { quiet: true },
    mutationFn: async ({ shown, values }: { shown: Rule; values: RuleValues }) => {
      await client.cancelQueries({ queryKey: rulesQuery().queryKey });
      return saveRule(shown, values);
    },
    onSuccess: ({ rule }) => {
      put(client, rule);
      notifyOtherTabs();
    },
    onError: (error) => {
      if (error instanceof RuleConflict) {
        put(client, error.now);
      }
    },
  });
}
