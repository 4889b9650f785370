/** Which banners are shown first. Pure. */
import { PRIORITIES, type Notification } from '@nodebell/contract/notification.ts';

/** Critical first, then the newest; only what nobody has seen and what is not over. */
export function topBanners(banners: readonly Notification[]): Notification[] {
  const rank = ({ priority }: Notification) => PRIORITIES.indexOf(priority);
  return banners
    .filter((banner) => banner.isBanner && !banner.seen && banner.status === 'triggered' && banner.errors === undefined)
    .toSorted((a, b) => rank(b) - rank(a) || b.id - a.id);
}
