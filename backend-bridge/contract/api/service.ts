/** Operations: service. */
import { EXPORT_TYPES } from '../exportFormat.ts';
import { auditPageSchema, auditQuerySchema } from '../audit.ts';
import { provisioningSchema } from '../provisioning.ts';
import { bridgeStatusSchema } from '../status.ts';
import { z } from 'zod';
import { string } from '../schema.ts';
import { NOT_PROXIED, content, get, getRoot, ok, operations, segment } from '../operation.ts';

const REVALIDATE = { 'If-None-Match': 'The `ETag` of an earlier response: 304 when it is still the current one.' };
const NOT_MODIFIED = { status: 304, description: 'Unchanged (RFC 9110, section 15.4.5).', schema: undefined };

export const SERVICE = operations('Service', {
  listAudit: get('/audit', 'bridge:admin', {
    summary: 'The audit log: who changed what, from where, before and after; newest first, or as an export',
    query: () => auditQuerySchema,
    reply: ok('A page; JSON Lines or CSV with `format`.', () => auditPageSchema, EXPORT_TYPES),
  }),
  getProvisioning: get('/provisioning', 'bridge:admin', {
    summary: 'Status of the provisioning files',
    reply: ok('The files, by name.', () => provisioningSchema),
  }),
  openapi: get('/openapi.json', 'inbox:read', {
    access: 'open',
    summary: 'This page',
    headers: REVALIDATE,
    reply: content('OpenAPI 3.1.', 'application/json'),
    also: [NOT_MODIFIED],
  }),
  schema: get('/schemas/{name}.json', 'inbox:read', {
    access: 'open',
    summary: 'A JSON Schema (2020-12)',
    params: { name: segment('notification-payload, notification, problem, …') },
    headers: REVALIDATE,
    reply: content('The schema.', 'application/schema+json'),
    also: [NOT_MODIFIED],
    problems: [404],
  }),
  status: get('/status', 'bridge:admin', {
    summary: 'Status of the bridge: version, clock, configuration, whether its store is writable',
    reply: ok('The bridge.', () => bridgeStatusSchema),
  }),
  health: getRoot('/healthz', 'inbox:read', {
    access: 'probe',
    summary: 'Liveness: the process and its writer are running',
    reply: ok('The process is alive.', () => z.object({ status: z.literal('ok').describe('Always "ok".') })),
  }),
  ready: getRoot('/readyz', 'inbox:read', {
    access: 'probe',
    summary: 'Readiness: the store is writable',
    reply: ok('The store is writable.', () =>
      z.object({
        status: z.literal('ready').describe('Always "ready".'),
        version: string('Version of the bridge.'),
      })
    ),
    problems: [503],
  }),
  metrics: getRoot('/metrics', NOT_PROXIED, {
    summary: 'Prometheus metrics; open when NODEBELL_METRICS_OPEN is true',
    reply: content('The text exposition format.', 'text/plain'),
  }),
});
