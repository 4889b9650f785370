/** What the thresholds pages ask the bridge for, and under which key it is kept. */
import { queryOptions } from '@tanstack/react-query';
import { getEndpoints, listEndpoints } from '../bridge/endpoints';

export const thresholdsKey = ['thresholds'] as const;

export const overviewQuery = () =>
  queryOptions({ queryKey: [...thresholdsKey, 'overview'], queryFn: ({ signal }) => listEndpoints(signal) });

/** One package, to be put into the overview; what was asked for before a change is never shown after it. */
export const packageQuery = (dnpName: string) =>
  queryOptions({
    queryKey: [...thresholdsKey, 'package', dnpName],
    queryFn: ({ signal }) => getEndpoints(dnpName, signal),
    staleTime: 0,
    gcTime: 0,
  });
