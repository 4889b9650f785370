/** Which banners are shown first. Pure. */
import { isRead, PRIORITIES, type Notification } from '@nodebell/contract/notification.ts';

/** Critical first, then newest; only unread and unresolved ones. */
export function topBanners(banners: readonly Notification[]): Notification[] {
  const rank = ({ priority }: Notification) => PRIORITIES.indexOf(priority);
  return banners
    .filter(
      (banner) => banner.isBanner && !isRead(banner) && banner.status === 'triggered' && banner.errors === undefined
    )
    .toSorted((a, b) => rank(b) - rank(a) || b.id - a.id);
}
