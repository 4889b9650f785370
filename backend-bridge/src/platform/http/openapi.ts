/** The OpenAPI document and the JSON Schemas, made from the contract. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { alertmanagerWebhookSchema } from '../../../contract/alertmanagerWebhook.ts';
import { OPERATIONS } from '../../../contract/api.ts';
import { backupIndexSchema, backupRestoredSchema } from '../../../contract/backup.ts';
import { chainsSchema } from '../../../contract/chain.ts';
import { endpointOverviewSchema, endpointPackageSchema, endpointSchema } from '../../../contract/endpoint.ts';
import { eventSchemas } from '../../../contract/event.ts';
import { cloudEventSchema, uptimeKumaSchema, zabbixSchema } from '../../../contract/foreignBodies.ts';
import { gatusWebhookSchema } from '../../../contract/gatusWebhook.ts';
import { grafanaWebhookSchema } from '../../../contract/grafanaWebhook.ts';
import { chainHistorySchema, endpointHistorySchema } from '../../../contract/history.ts';
import { notificationDetailSchema, notificationSchema, payloadSchema } from '../../../contract/notification.ts';
import { type Access, type Operation, problemsOf, type Reply } from '../../../contract/operation.ts';
import { originSchema } from '../../../contract/origin.ts';
import { packageDetailSchema, packageSummarySchema, previewSchema } from '../../../contract/package.ts';
import { problemSchema } from '../../../contract/problem.ts';
import { provisioningFileSchema } from '../../../contract/provisioningFile.ts';
import { categorySchema, facetsSchema, unseenSchema, webhookAnswerSchema } from '../../../contract/query.ts';
import { settingsDocumentSchema } from '../../../contract/settings.ts';
import { bridgeStatusSchema } from '../../../contract/status.ts';
import { foreignApiAt } from './foreignApis.ts';
import { REPEATABLE } from './query.ts';
import { manifestSchemas } from '../../validation/manifest/validateManifest.ts';
import { notificationsFileSchema } from '../../validation/notifications/schema.ts';

type Json = Record<string, unknown>;

/** Schemas that are published by name at /api/v1/schemas/{name}.json. */
const PUBLISHED: Record<string, { schema: z.ZodType; io: 'input' | 'output' }> = {
  'notification-payload': { schema: payloadSchema, io: 'input' },
  notification: { schema: notificationSchema, io: 'output' },
  'notification-detail': { schema: notificationDetailSchema, io: 'output' },
  problem: { schema: problemSchema, io: 'output' },
  facets: { schema: facetsSchema, io: 'output' },
  origin: { schema: originSchema, io: 'output' },
  unseen: { schema: unseenSchema, io: 'output' },
  category: { schema: categorySchema, io: 'output' },
  'grafana-webhook': { schema: grafanaWebhookSchema, io: 'input' },
  'alertmanager-webhook': { schema: alertmanagerWebhookSchema, io: 'input' },
  'gatus-webhook': { schema: gatusWebhookSchema, io: 'input' },
  'zabbix-webhook': { schema: zabbixSchema, io: 'input' },
  'cloud-event': { schema: cloudEventSchema, io: 'input' },
  'uptime-kuma-webhook': { schema: uptimeKumaSchema, io: 'input' },
  manifest: { schema: manifestSchemas.dappnode, io: 'input' },
  'manifest-spec': { schema: manifestSchemas.spec, io: 'input' },
  'notifications-file': { schema: notificationsFileSchema, io: 'input' },
  'webhook-answer': { schema: webhookAnswerSchema, io: 'output' },
  package: { schema: packageDetailSchema, io: 'output' },
  'package-summary': { schema: packageSummarySchema, io: 'output' },
  'package-preview': { schema: previewSchema, io: 'output' },
  endpoint: { schema: endpointSchema, io: 'output' },
  'endpoint-package': { schema: endpointPackageSchema, io: 'output' },
  settings: { schema: settingsDocumentSchema, io: 'input' },
  'endpoint-history': { schema: endpointHistorySchema, io: 'output' },
  'endpoint-overview': { schema: endpointOverviewSchema, io: 'output' },
  chains: { schema: chainsSchema, io: 'output' },
  'chain-history': { schema: chainHistorySchema, io: 'output' },
  'backup-index': { schema: backupIndexSchema, io: 'output' },
  'backup-restored': { schema: backupRestoredSchema, io: 'output' },
  'bridge-status': { schema: bridgeStatusSchema, io: 'output' },
  'provisioning-file': { schema: provisioningFileSchema, io: 'input' },
  ...Object.fromEntries(
    Object.entries(eventSchemas).map(([name, schema]) => [`event-${name}`, { schema, io: 'output' as const }])
  ),
};

export const SCHEMA_NAMES: readonly string[] = Object.keys(PUBLISHED);

/** A published schema with its `$id`; undefined for an unknown name. */
export function publishedSchema(name: string): Json | undefined {
  const published = Object.hasOwn(PUBLISHED, name) ? PUBLISHED[name] : undefined;
  return published && { ...toJsonSchema(published.schema, published.io), $id: `/api/v1/schemas/${name}.json` };
}

/** Responses may have unknown members: later versions may add some. */
function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  return z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ jsonSchema }) => {
      delete jsonSchema.id;
      if (io === 'output') {
        delete jsonSchema.additionalProperties;
      }
    },
  });
}

/** Named schemas. One of `responses` that differs in requests has the suffix `Input` there. */
type Components = Record<'responses' | 'requests', Json>;

/** Named schemas become components; the rest is inlined. Those of all responses come before those of requests. */
function reference(schema: z.ZodType, io: 'input' | 'output', { responses, requests }: Components): Json {
  const { $schema: _schema, $defs = {}, ...json } = toJsonSchema(schema, io) as Json & { $defs?: Json };
  const id = (schema.meta() as { id?: string } | undefined)?.id;
  const named = Object.entries<Json>({ ...(id !== undefined && { [id]: json }), ...($defs as Record<string, Json>) });
  const renamed = new Set<string>();
  if (io === 'input') {
    // Renaming one changes those that refer to it.
    for (let before = -1; before < renamed.size;) {
      before = renamed.size;
      named
        .filter(([name, definition]) => differs(responses[name] as Json | undefined, rebased(definition, renamed)))
        .forEach(([name]) => renamed.add(name));
    }
  }
  const components = io === 'input' ? requests : responses;
  for (const [name, definition] of named) {
    components[inputName(name, renamed)] ??= rebased(definition, renamed);
  }
  return id === undefined ? rebased(json, renamed) : { $ref: `#/components/schemas/${inputName(id, renamed)}` };
}

const differs = (one: Json | undefined, other: Json): boolean => one !== undefined && !isDeepStrictEqual(one, other);
const inputName = (name: string, renamed: ReadonlySet<string>): string => (renamed.has(name) ? `${name}Input` : name);

function rebased(json: Json, renamed: ReadonlySet<string>): Json {
  const text = JSON.stringify(json).replaceAll(
    /"#\/\$defs\/([^"]+)"/g,
    (_ref, name: string) => `"#/components/schemas/${inputName(name, renamed)}"`
  );
  return JSON.parse(text) as Json;
}

function parameters({ params = {}, headers = {}, query, aliases = {} }: Operation): Json[] {
  const described = (place: 'path' | 'header' | 'query', name: string, description: string): Json => ({
    name,
    in: place,
    ...(place === 'path' && { required: true }),
    description,
    schema: { type: 'string' },
  });
  return [
    ...Object.entries(params).map(([name, { description }]) => described('path', name, description)),
    ...Object.entries(headers).map(([name, description]) => described('header', name, description)),
    ...Object.entries<z.ZodType>(query?.().shape ?? {}).map(([name, schema]) => {
      const { $schema: _schema, description, ...json } = toJsonSchema(schema, 'input');
      return {
        name,
        in: 'query',
        description,
        schema: json,
        ...(REPEATABLE.has(name) && { style: 'form', explode: true }),
      };
    }),
    ...Object.entries(aliases).map(([alias, name]) => described('query', alias, `DAppNode's name for \`${name}\`.`)),
  ];
}

function responses(operation: Operation, components: Components): Json {
  const { errorOf } = foreignApiAt(operation.path) ?? {};
  const [problem, kind] =
    errorOf !== undefined
      ? [
          { 'application/json': { schema: operation.tag === 'Alertmanager' ? { type: 'string' } : {} } },
          'An error as the program responds with.',
        ]
      : [
          { 'application/problem+json': { schema: reference(problemSchema, 'output', components) } },
          'A problem document (RFC 9457).',
        ];
  const replies = [operation.reply, ...(operation.also ?? [])].map((reply): [number, Json] => [
    reply.status,
    { description: reply.description, ...contentOf(reply, components) },
  ]);
  return {
    ...Object.fromEntries(replies),
    ...Object.fromEntries(problemsOf(operation).map((status) => [status, { description: kind, content: problem }])),
  };
}

function contentOf({ status, schema, mediaType = 'application/json', otherTypes = [] }: Reply, components: Components) {
  // RFC 9110, sections 15.3.5 and 15.4.5: no content follows.
  return status === 204 || status === 304 || mediaType === ''
    ? {}
    : {
        content: {
          [mediaType]: { schema: schema ? reference(schema, 'output', components) : {} },
          ...Object.fromEntries(otherTypes.map((type) => [type, { schema: {} }])),
        },
      };
}

const SECURITY: Record<Access, Json[]> = {
  open: [],
  probe: [],
  admin: [{ bearer: [] }],
  sender: [{ bearer: [] }, {}],
};

function describe(operation: Operation, components: Components): Json {
  const { body } = operation;
  const schema = body?.schema ? reference(body.schema, 'input', components) : {};
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    security: SECURITY[operation.access],
    parameters: parameters(operation),
    ...(body && {
      requestBody: {
        required: !body.optional,
        description: body.description ?? '',
        content: {
          [body.mediaType ?? 'application/json']: { schema },
          ...Object.fromEntries((body.otherTypes ?? []).map((type) => [type, { schema: {} }])),
        },
      },
    }),
    responses: responses(operation, components),
  };
}

/** @param version of the bridge */
export function openapiDocument(version: string): Json {
  const components: Components = { responses: {}, requests: {} };
  const paths: Record<string, Json> = {};
  OPERATIONS.forEach((operation) => responses(operation, components));
  for (const operation of OPERATIONS) {
    (paths[operation.path] ??= {})[operation.method] = describe(operation, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Nodebell bridge',
      version,
      description:
        'Receives notifications and alert webhooks, stores and serves them. NODEBELL_AUTH determines which requests need a token.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { ...components.requests, ...components.responses },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}
