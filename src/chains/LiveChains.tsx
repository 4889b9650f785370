import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ChainClock } from './clock';
import { chainsQuery, useLiveChains } from './queries';

/** Keeps node data live for its children, on pages that show nodes among other things. */
export function LiveChains({ children }: { children: ReactNode }) {
  const { data, error } = useQuery(chainsQuery());
  useLiveChains(error !== null);
  return (
    <ChainClock clockOffset={data?.clockOffset ?? 0} nodes={data?.nodes.length ?? 0}>
      {children}
    </ChainClock>
  );
}

/** The node of a package; undefined while nodes are loading and for packages that are not nodes. */
export function useNode(dnpName: string) {
  const { data } = useQuery({
    ...chainsQuery(),
    select: ({ nodes }) => nodes.find((node) => node.dnpName === dnpName),
  });
  return data;
}
