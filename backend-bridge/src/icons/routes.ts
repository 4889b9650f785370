/** Icons of notifications and packages, served by the bridge. */
import { type Response, Router } from 'express';
import { isIconAddress, STORED_ICON } from '../../contract/icon.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { Guard } from '../http/auth.ts';
import { HttpProblem } from '../http/problem.ts';
import { readId } from '../http/query.ts';
import type { NotificationStore } from '../notifications/store.ts';
import { notRegistered } from '../packages/errors.ts';
import type { Registry } from '../packages/service.ts';
import { embeddedImage } from '../validation/manifest/fields.ts';
import { checkImage } from './image.ts';
import type { Icons } from './service.ts';

export interface IconRouteDeps {
  guard: Pick<Guard, 'admin'>;
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

/**
 * `/notifications/{id}/icon` and `/packages/{dnpName}/icon`. Addresses are stored ones, never from the request (SSRF).
 */
export function iconRoutes({ guard, store, registry, icons }: IconRouteDeps): Router {
  const router = Router();
  const send = async (res: Response, address: string | null | undefined): Promise<void> => {
    if (!isIconAddress(address)) {
      throw new HttpProblem('not-found', 'There is no icon with an http: or https: address.');
    }
    const { type, bytes } = await icons.get(address);
    // Other headers against content sniffing are in every response (http/security.ts).
    res.set({ ...HEADERS, 'Content-Type': type }).end(bytes);
  };
  router.get('/notifications/:id/icon', guard.admin, async (req, res) => {
    const address = await store.icon(readId(req));
    if (address === undefined) {
      throw new HttpProblem('not-found', 'Notification not found; it may have been deleted.');
    }
    await send(res, address);
  });
  router.get('/packages/:dnpName/icon', guard.admin, async (req, res) => {
    const dnpName = String(req.params.dnpName);
    const found = (await registry.cachedPackages()).find(({ header }) => header.dnp_name === dnpName);
    if (found === undefined) {
      throw notRegistered(dnpName);
    }
    const { icon } = found.extract.card;
    if (icon?.startsWith(STORED_ICON)) {
      const { manifest } = await registry.files(dnpName);
      const bytes = Buffer.from(embeddedImage(membersOf(manifest)['avatar']) ?? '', 'base64');
      const check = checkImage(bytes);
      if (!check.ok) {
        throw new HttpProblem('not-found', `The image in the manifest cannot be shown: ${check.why}.`);
      }
      res.set({ ...HEADERS, 'Content-Type': check.type }).end(bytes);
      return;
    }
    await send(res, icon);
  });
  return router;
}
