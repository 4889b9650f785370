/**
 * The notifier API that DAppNode's manager calls (DNP_DAPPMANAGER, packages/notifications/src/api.ts): without tokens, without
 * pages, with times in Unix seconds. Mounted before the ordinary routes, which serve everything else.
 */
import { type RawBuilder, sql } from 'kysely';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import ipaddr from 'ipaddr.js';
import { LIMITS } from '../../contract/limits.ts';
import type { Notification } from '../../contract/notification.ts';
import type { NotificationFilter } from '../../contract/query.ts';
import { isLoopback } from '../config.ts';
import { isAddress } from '../http/addresses.ts';
import { admitRead } from '../http/auth.ts';
import { senderOf } from '../http/rateLimit.ts';
import type { ReadGate } from '../http/readGate.ts';
import { joinSegments } from '../http/security.ts';
import type { Inbox } from '../notifications/inbox.ts';
import type { NotificationStore } from '../notifications/store.ts';
import { inList, jsonMember, jsonText } from '../storage/bulk.ts';
import type { Database } from '../storage/engine.ts';

/** A notification as DAppNode's manager reads it (DNP_DAPPMANAGER, packages/types/src/notifications.ts). */
export interface DappnodeNotification {
  id: number;
  /** Unix seconds. */
  timestamp: number;
  seen: boolean;
  title: string;
  body: string;
  dnpName: string;
  category: string;
  priority: string;
  status: string;
  isBanner: boolean;
  isRemote: boolean;
  icon?: string;
  errors?: string;
  callToAction?: { title: string; url: string };
  correlationId: string;
  subscriptionEndpoint?: string;
}

export interface ClientRouteDeps {
  db: Database;
  inbox: Inbox;
  store: Pick<NotificationStore, 'list' | 'unseen' | 'idsOfCorrelation'>;
  limit: RequestHandler;
  gate: ReadGate;
}

/** Mounted at `/api/v1/notifications`. Requests that are not such a client's are passed on. */
export function clientRoutes({ db, inbox, store, limit, gate }: ClientRouteDeps): Router {
  const router = Router();
  router.use((req, _res, next) => next(isClient(req) ? undefined : 'router'));

  router.get('/', async (req, res) => {
    await admitRead(gate, req, res, LIMITS.dappnodeListBytes.value);
    res.json(await listAll(db, store, filterOf(req)));
  });
  router.get('/unseen', async (req, res) => {
    await admitRead(gate, req, res);
    const { unseenCount } = await store.unseen();
    res.json({ unseenCount });
  });
  router.put('/seen', async (req, res) => {
    const filter = filterOf(req);
    const marked = await inbox.markMatching(filter);
    // A resolved banner is no banner any more: nothing but this call would ever mark it.
    const resolved =
      filter.isBanner === false
        ? await inbox.markMatching({ ...filter, isBanner: true, latest: true, status: ['resolved'] })
        : { changed: 0 };
    res.json({ changed: marked.changed + resolved.changed });
  });
  router.put('/*correlationId/seen', async (req, res) => {
    const ids = await store.idsOfCorrelation(joinSegments(req.params.correlationId));
    res.json(ids.length === 0 ? { changed: 0 } : await inbox.markIds(ids, true, true));
  });
  router.post('/test', limit, async (req, res) => sendTest(inbox, req, res));
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

async function listAll(
  db: Database,
  store: Pick<NotificationStore, 'list'>,
  filter: NotificationFilter
): Promise<DappnodeNotification[]> {
  const all: Notification[] = [];
  let after: Awaited<ReturnType<typeof store.list>>['next'];
  let bytes = 0;
  do {
    const left = LIMITS.dappnodeListRows.value - all.length;
    const page = await store.list(filter, Math.min(left, LIMITS.listRows.value), after);
    all.push(...page.notifications);
    after = page.next;
    // A page ends at this size.
    bytes += LIMITS.listBytes.value;
  } while (after && all.length < LIMITS.dappnodeListRows.value && bytes < LIMITS.dappnodeListBytes.value);
  const extras = await extrasOf(db, all);
  return all.map((one) => toDappnode(one, extras.get(one.id)));
}

interface Extra {
  /** JSON. */
  isRemote: string | null;
  subscriptionEndpoint: string | null;
}

async function extrasOf(db: Database, notifications: readonly Notification[]): Promise<Map<number, Extra>> {
  const start = (text: RawBuilder<unknown>) => sql<string | null>`substr(${text}, 1, ${LIMITS.problemText.value})`;
  const rows = await db
    .selectFrom('notifications')
    .select([
      'id',
      start(jsonMember('extra', 'isRemote')).as('isRemote'),
      start(jsonText('extra', 'subscriptionEndpoint')).as('subscriptionEndpoint'),
    ])
    .where(
      inList(
        sql.ref('id'),
        notifications.map(({ id }) => id)
      )
    )
    .where('extra', 'is not', null)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

function toDappnode(notification: Notification, extra: Extra | undefined): DappnodeNotification {
  const { id, title, body, dnpName, category, priority, status, isBanner, correlationId, seen } = notification;
  const { icon, errors, callToAction } = notification;
  const target = extra?.subscriptionEndpoint;
  return {
    id,
    timestamp: Math.floor(Date.parse(notification.timestamp) / 1000),
    seen,
    title,
    body,
    dnpName,
    category,
    priority,
    status,
    isBanner,
    isRemote: extra?.isRemote === 'true',
    ...(icon !== undefined && { icon }),
    ...(errors !== undefined && { errors }),
    ...(callToAction !== undefined && { callToAction }),
    correlationId,
    ...(target !== undefined && target !== null && { subscriptionEndpoint: target }),
  };
}

/** Until devices can subscribe, a test is a notification in the inbox. */
async function sendTest(inbox: Inbox, req: Request, res: Response): Promise<void> {
  const endpoint = new URL(req.url, 'http://bridge').searchParams.get('endpoint');
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
