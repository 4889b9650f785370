import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ChainClock } from './clock';
import { chainsQuery } from './queries';
import { useLiveChains } from './useLiveChains';

/** Keeps the nodes fresh for those inside that show one, where nodes are not what the page is about. */
export function LiveChains({ children }: { children: ReactNode }) {
  const { data, error } = useQuery(chainsQuery());
  useLiveChains(error !== null);
  return (
    <ChainClock ahead={data?.ahead ?? 0} nodes={data?.nodes.length ?? 0}>
      {children}
    </ChainClock>
  );
}

/** The node of a package: undefined while it is not known, and of a package that is none. */
export function useNode(dnpName: string) {
  const { data } = useQuery({
    ...chainsQuery(),
    select: ({ nodes }) => nodes.find((node) => node.dnpName === dnpName),
  });
  return data;
}
