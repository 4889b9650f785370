/** Loads icons through the bridge: each once, a few at the same time, so that slow ones do not hold up the page. */
import { LIMITS } from '@nodebell/contract/limits.ts';
import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query';
import { loadImage } from '../api/client';
import type { BridgeIcon } from './icon';
import { createTurns } from './turns';

const KEY = ['icon'] as const;
const MAX_RETRIES = 3;

const inTurn = createTurns(LIMITS.pageIconRequests.value);

/** The image as a `data:` URL; undefined while it is loaded, and when there is none. */
export function useIcon(icon: BridgeIcon | undefined): string | undefined {
  return useQuery({
    queryKey: [...KEY, icon?.address],
    queryFn:
      icon === undefined
        ? skipToken
        : async ({ client, signal }) => {
            const image = await inTurn(() => loadImage(icon.path, signal), signal);
            dropOldest(client);
            return image;
          },
    // 429: the bridge fetches too many at the moment. Whatever else went wrong stays so while the page is open.
    retry: (failures, error) => error.status === 429 && failures < MAX_RETRIES,
    retryDelay: (failures) => 1000 * 2 ** failures,
    retryOnMount: false,
  }).data;
}

/** Images out of view are kept for those who scroll back, but not without end. */
function dropOldest(client: QueryClient) {
  const cache = client.getQueryCache();
  const idle = cache.findAll({ queryKey: KEY, type: 'inactive' });
  idle.slice(0, Math.max(0, idle.length - LIMITS.pageIcons.value)).forEach((query) => cache.remove(query));
}
