/**
 * The notifier API that DAppNode's manager calls (DNP_DAPPMANAGER, packages/notifications/src/api.ts): without tokens, without
 * pages, with times in Unix seconds. Mounted before the ordinary routes, which serve everything else.
 */
import { type Request, type RequestHandler, type Response, Router } from 'express';
import ipaddr from 'ipaddr.js';
import { LIMITS } from '../../../contract/limits.ts';
import type { NotificationFilter } from '../../../contract/query.ts';
import { isAddress, isLoopback } from '../../platform/http/addresses.ts';
import { admitRead } from '../../platform/access/auth.ts';
import { senderOf } from '../../platform/http/senderKey.ts';
import type { ReadGate } from '../../platform/http/readGate.ts';
import { joinSegments } from '../../platform/http/security.ts';
import { sendRead } from '../../platform/http/sendRead.ts';
import type { Inbox } from '../../inbox/notifications/inbox.ts';
import type { NotificationStore } from '../../inbox/notifications/store.ts';
import type { Reads } from '../../platform/storage/read.ts';
import { DAPPNODE, type Devices, deviceWith } from './deviceRoutes.ts';
import { readForDappnode } from './reads.ts';

export interface ClientRouteDeps {
  reads: Reads;
  inbox: Inbox;
  store: Pick<NotificationStore, 'unseen' | 'idsOfCorrelation'>;
  push: Devices;
  limit: RequestHandler;
  gate: ReadGate;
}

/** Mounted at `/api/v1/notifications`. Requests that are not such a client's are passed on. */
export function clientRoutes({ reads, inbox, store, push, limit, gate }: ClientRouteDeps): Router {
  const router = Router();
  router.use((req, _res, next) => next(isClient(req) ? undefined : 'router'));

  router.get('/', async (req, res) => {
    await admitRead(gate, req, res, LIMITS.dappnodeListBytes.value);
    await sendRead(reads, res, readForDappnode, filterOf(req));
  });
  router.get('/unseen', async (req, res) => {
    await admitRead(gate, req, res);
    const { unseenCount } = await store.unseen();
    res.json({ unseenCount });
  });
  router.put('/seen', async (req, res) => {
    const filter = filterOf(req);
    const marked = await inbox.mark({ filter }, true);
    // A resolved banner is no banner any more: nothing but this call would ever mark it.
    const resolved =
      filter.isBanner === false
        ? await inbox.mark({ filter: { ...filter, isBanner: true, latest: true, status: ['resolved'] } }, true)
        : { changed: 0 };
    res.json({ changed: marked.changed + resolved.changed });
  });
  router.put('/*correlationId/seen', async (req, res) => {
    const ids = await store.idsOfCorrelation(joinSegments(req.params.correlationId));
    res.json(ids.length === 0 ? { changed: 0 } : await inbox.mark({ ids, wholeThreads: true }, true));
  });
  router.post('/test', limit, async (req, res) => {
    const endpoint = new URL(req.url, 'http://bridge').searchParams.get('endpoint');
    const device = endpoint === null ? undefined : await deviceWith(push, endpoint);
    if (device === undefined) {
      await sendTest(inbox, endpoint, req, res);
    } else {
      res.json(await push.test(DAPPNODE, device.id));
    }
  });
  return router;
}

/** Headers that proxies add: a request that has one comes from further away than its connection. */
const PROXY_HEADER =
  /^(?:forwarded|via|cdn-loop|x-grafana-context|x-real-ip|x-forwarded.*|x-original-.+|cf-.+|x-envoy-.+|x-amzn-.+|x-azure-.+|.*client-ip)$/;
const PRIVATE_RANGES = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']);
/** The network of DAppNode's containers, which is not one of RFC 1918 (DNP_DAPPMANAGER, packages/params). */
const DAPPNODE_NETWORK = ipaddr.parseCIDR('172.33.0.0/16');

function isPrivate(text: string): boolean {
  if (!isAddress(text)) {
    return false;
  }
  const address = ipaddr.process(text);
  return PRIVATE_RANGES.has(address.range()) || (address.kind() === 'ipv4' && address.match(DAPPNODE_NETWORK));
}

/**
 * Whether a request may come from DAppNode's manager or UI: without credentials, directly from a private network, and by a name
 * that no web page can have. A name that a page makes point here (DNS rebinding) is neither in `.dappnode` nor an address.
 */
export function isClient(req: Request): boolean {
  const host = (req.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
  const isKnownHost = isLoopback(host) || host.endsWith('.dappnode') || isPrivate(host.replace(/^\[|\]$/g, ''));
  return (
    isKnownHost &&
    isPrivate(req.socket.remoteAddress ?? '') &&
    req.headers.authorization === undefined &&
    !Object.keys(req.headers).some((name) => PROXY_HEADER.test(name))
  );
}

/** The client sends `timestamp=undefined` when it has none; what cannot be read is ignored, as its notifier does. */
function filterOf(req: Request): NotificationFilter {
  const query = new URL(req.url, 'http://bridge').searchParams;
  const isBanner = query.get('isBanner');
  const since = Number(query.get('timestamp') ?? Number.NaN);
  return {
    ...((isBanner === 'true' || isBanner === 'false') && { isBanner: isBanner === 'true' }),
    ...(Number.isFinite(since) && { from: Math.round(since * 1000) }),
  };
}

/** A test of all devices is a notification in the inbox, which goes where the routes of channels say. */
async function sendTest(inbox: Inbox, endpoint: string | null, req: Request, res: Response): Promise<void> {
  const payload = {
    title: 'Test notification',
    body: 'Notifications reach Nodebell.',
    dnpName: 'notifications.dnp.dappnode.eth',
    category: 'system',
    priority: 'low',
    status: 'triggered',
    isBanner: false,
    correlationId: 'notifications-test',
  } as const;
  const extra = endpoint === null ? undefined : { subscriptionEndpoint: endpoint };
  const [received] = await inbox.receive([{ payload, extra, source: 'api', sender: senderOf(req, res) }]);
  res.status(201).json({ id: received?.id });
}
