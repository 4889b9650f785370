/**
 * Icons that senders and packages name. The browser never loads their addresses: the bridge fetches each icon, and the page loads
 * it from the bridge, once and a few at a time, so that slow ones do not block the page.
 */
import { NOTIFICATIONS } from '@nodebell/contract/api/notifications.ts';
import { PACKAGES } from '@nodebell/contract/api/packages.ts';
import { isIconAddress, STORED_ICON } from '@nodebell/contract/icon.ts';
import { LIMITS } from '@nodebell/contract/limits.ts';
import { requestOf } from '@nodebell/contract/operation.ts';
import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query';
import { loadImage } from '../api/client';
import { createLimiter } from './limiter';

const KEY = ['icon'] as const;
const MAX_RETRIES = 3;

const limited = createLimiter(LIMITS.pageIconRequests.value);

/** An icon that the bridge can serve. Created only by the functions below. */
export interface BridgeIcon {
  /** The address as given by the sender. It identifies the image and is never loaded. */
  address: string;
  /** The path of the image at the bridge. */
  path: string;
}

const iconAt = (address: string | undefined, path: string): BridgeIcon | undefined =>
  isIconAddress(address) ? { address, path } : undefined;

/** The icon of a notification; undefined when it has none or an unsupported one, such as a path. */
export const notificationIcon = ({ id, icon }: { id: number; icon?: string | undefined }): BridgeIcon | undefined =>
  iconAt(icon, requestOf(NOTIFICATIONS.getNotificationIcon, { params: { id } }).path);

/** The icon of a registered package. */
export const packageIcon = ({
  dnpName,
  icon,
}: {
  dnpName: string;
  icon?: string | undefined;
}): BridgeIcon | undefined => {
  const { path } = requestOf(PACKAGES.getPackageIcon, { params: { dnpName } });
  return icon?.startsWith(STORED_ICON) ? { address: `${dnpName} ${icon}`, path } : iconAt(icon, path);
};

/** The image as a `data:` URL; undefined while it is loading and when there is none. */
export function useIcon(icon: BridgeIcon | undefined): string | undefined {
  return useQuery({
    queryKey: [...KEY, icon?.address],
    queryFn:
      icon === undefined
        ? skipToken
        : async ({ client, signal }) => {
            const image = await limited(() => loadImage(icon.path, signal), signal);
            dropOldest(client);
            return image;
          },
    // 429: the bridge is fetching too many icons. Other errors are final while the page is open.
    retry: (failures, error) => error.status === 429 && failures < MAX_RETRIES,
    retryDelay: (failures) => 1000 * 2 ** failures,
    retryOnMount: false,
  }).data;
}

/** Keeps a limited number of images that are out of view, for scrolling back. */
function dropOldest(client: QueryClient) {
  const cache = client.getQueryCache();
  const idle = cache.findAll({ queryKey: KEY, type: 'inactive' });
  idle.slice(0, Math.max(0, idle.length - LIMITS.pageIcons.value)).forEach((query) => cache.remove(query));
}
