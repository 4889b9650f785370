/** What the chains page and panel ask the bridge for. */
import { queryOptions } from '@tanstack/react-query';
import { listChains } from '../bridge/chains';
import { toLoaded } from './loaded';

export const chainsKey = ['chains'] as const;

export const chainsQuery = () =>
  queryOptions({
    queryKey: chainsKey,
    queryFn: async ({ signal }) => toLoaded(await listChains(signal), Date.now()),
  });
