/** Every route of the bridge, for tests that try them all. */

export const PAYLOAD = { title: 'Test Notification', body: 'x' };
const ALERTS = { version: '4', status: 'firing', alerts: [] };

export type Access = 'open' | 'sender' | 'admin';

/** Every route, and who may call it (design: "Names that others rely on"). What it answers to whom may call it matters to other tests. */
export const ROUTES: [method: string, route: string, access: Access, body?: unknown][] = [
  ['GET', '/healthz', 'open'],
  ['GET', '/readyz', 'open'],
  ['GET', '/api/v1/openapi.json', 'open'],
  ['GET', '/api/v1/schemas/notification.json', 'open'],
  ['POST', '/api/v1/notifications', 'sender', PAYLOAD],
  ['POST', '/api/v1/webhooks/grafana', 'sender', ALERTS],
  ['PUT', '/api/v1/webhooks/grafana', 'sender', ALERTS],
  ['POST', '/api/v1/webhooks/alertmanager', 'sender', ALERTS],
  ['POST', '/api/v1/webhooks/gatus', 'sender', {}],
  ['GET', '/metrics', 'admin'],
  ['GET', '/api/v1/notifications', 'admin'],
  ['GET', '/api/v1/notifications/unseen', 'admin'],
  ['GET', '/api/v1/notifications/facets', 'admin'],
  ['GET', '/api/v1/notifications/1', 'admin'],
  ['PATCH', '/api/v1/notifications/1', 'admin', { seen: false }],
  ['POST', '/api/v1/notifications/1/resolve', 'admin'],
  ['PUT', '/api/v1/notifications/1/seen', 'admin'],
  ['PUT', '/api/v1/notifications/seen', 'admin'],
  ['DELETE', '/api/v1/notifications/1', 'admin'],
  ['POST', '/api/v1/notifications/delete', 'admin', { ids: [1] }],
  ['POST', '/api/v1/notifications/restore', 'admin', { undo: 'x' }],
  ['GET', '/api/v1/events?lastEventId=x', 'admin'],
  ['GET', '/api/v1/categories', 'admin'],
  ['PUT', '/api/v1/categories/other', 'admin', { enabled: true }],
  ['GET', '/api/v1/packages', 'admin'],
  ['POST', '/api/v1/packages/preview', 'admin', { manifest: {} }],
  ['POST', '/api/v1/packages/fetch', 'admin', { url: 'http://127.0.0.1:1/' }],
  ['POST', '/api/v1/packages', 'admin', { manifest: {} }],
  ['GET', '/api/v1/packages/x', 'admin'],
  ['PUT', '/api/v1/packages/x', 'admin', { manifest: {} }],
  ['DELETE', '/api/v1/packages/x', 'admin'],
  ['GET', '/api/v1/packages/x/dashboards', 'admin'],
  ['GET', '/api/v1/endpoints', 'admin'],
  ['GET', '/api/v1/packages/x/endpoints', 'admin'],
  ['PATCH', '/api/v1/packages/x/endpoints/x', 'admin', { enabled: false }],
  ['PATCH', '/api/v1/packages/x/settings', 'admin', { enabled: false }],
  ['GET', '/api/v1/backups/x', 'admin'],
  ['POST', '/api/v1/backups/x', 'admin', {}],
  ['GET', '/package-manifest/x', 'sender'],
  ['GET', '/api/v1/prometheus/targets', 'sender'],
  ['GET', '/api/v1/provisioning', 'admin'],
  ['GET', '/api/v1/tokens', 'admin'],
  ['POST', '/api/v1/tokens', 'admin', { name: 'x' }],
  ['DELETE', '/api/v1/tokens/x', 'admin'],
];
