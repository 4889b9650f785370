import { expect, it } from 'vitest';
import { topBanners } from './bannerOrder';
import { aNotification } from './testData';

it('critical first, then the newest; nothing that is read, over or broken', () => {
  const banner = { isBanner: true } as const;
  const banners = [
    aNotification({ id: 1, ...banner, priority: 'critical' }),
    aNotification({ id: 2, ...banner }),
    aNotification({ id: 3, ...banner, seen: true, read: false }),
    aNotification({ id: 4, ...banner, seen: true }),
    aNotification({ id: 8, ...banner, read: true }),
    aNotification({ id: 5, ...banner, status: 'resolved' }),
    aNotification({ id: 6, ...banner, errors: 'x' }),
    aNotification({ id: 7 }),
  ];
  expect(topBanners(banners).map(({ id }) => id)).toEqual([1, 3, 2]);
});
