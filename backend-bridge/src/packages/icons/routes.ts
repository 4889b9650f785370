/** Operations that serve icons of notifications and packages. Addresses are stored ones, never from the request (SSRF). */
import type { Response } from 'express';
import type { NOTIFICATIONS } from '../../../contract/api/notifications.ts';
import type { PACKAGES } from '../../../contract/api/packages.ts';
import { isIconAddress, STORED_ICON } from '../../../contract/icon.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { HttpProblem, notificationNotFound } from '../../platform/http/problem.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import type { NotificationStore } from '../../inbox/notifications/store.ts';
import { notRegistered } from '../registry/errors.ts';
import type { Registry } from '../registry/service.ts';
import { embeddedImage } from '../../validation/manifest/fields.ts';
import { checkImage } from './image.ts';
import type { Icons } from './service.ts';

export interface IconDeps {
  store: Pick<NotificationStore, 'icon'>;
  registry: Pick<Registry, 'cachedPackages' | 'files'>;
  icons: Icons;
}

const membersOf = (manifest: string): Record<string, unknown> =>
  JSON.parse(manifest.replace(/^\uFEFF/, '')) as Record<string, unknown>;

const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Content-Disposition': 'inline',
  'Cache-Control': `private, max-age=${LIMITS.iconTtl.value * 24 * 3600}`,
};

type IconOperations = Pick<typeof NOTIFICATIONS, 'getNotificationIcon'> & Pick<typeof PACKAGES, 'getPackageIcon'>;

export function iconHandlers({ store, registry, icons }: IconDeps): Handlers<IconOperations> {
  const send = async (res: Response, address: string | null | undefined): Promise<void> => {
    if (!isIconAddress(address)) {
      throw new HttpProblem('not-found', 'There is no icon with an http: or https: address.');
    }
    const { type, bytes } = await icons.get(address);
    // Other headers against content sniffing are in every response (platform/http/security.ts).
    res.set({ ...HEADERS, 'Content-Type': type }).end(bytes);
  };
  return {
    async getNotificationIcon({ params, res }) {
      const address = await store.icon(params.id);
      if (address === undefined) {
        notificationNotFound();
      }
      await send(res, address);
    },
    async getPackageIcon({ params: { dnpName }, res }) {
      const found = (await registry.cachedPackages()).find(({ header }) => header.dnp_name === dnpName);
      if (found === undefined) {
        throw notRegistered(dnpName);
      }
      const { icon } = found.extract.card;
      if (!icon?.startsWith(STORED_ICON)) {
        await send(res, icon);
        return;
      }
      const { manifest } = await registry.files(dnpName);
      const bytes = Buffer.from(embeddedImage(membersOf(manifest)['avatar']) ?? '', 'base64');
      const check = checkImage(bytes);
      if (!check.ok) {
        throw new HttpProblem('not-found', `The image in the manifest cannot be shown: ${check.why}.`);
      }
      res.set({ ...HEADERS, 'Content-Type': check.type }).end(bytes);
    },
  };
}
