/** Alertmanager's API as its own document describes it, which is in its Go module. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { ALERTMANAGER_VERSION } from '../../backend-bridge/contract/alertmanager.ts';
import { ALERTMANAGER_BASE } from '../../backend-bridge/contract/alertmanagerBase.ts';
import { runBridge } from '../bench/bridge.ts';
import { proveRequests } from '../proofs/requests.ts';
import type { Json, Schema } from '../proofs/schemaValues.ts';

const REQUESTS = 1500;

/** @returns why it cannot be read: Go is missing, or cannot download modules */
function readDocument(): Schema | string {
  try {
    const module = `github.com/prometheus/alertmanager@v${ALERTMANAGER_VERSION}`;
    const found = execFileSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8', stdio: 'pipe' });
    const { Dir: folder } = JSON.parse(found) as { Dir: string };
    return parse(readFileSync(path.join(folder, 'api', 'v2', 'openapi.yaml'), 'utf8')) as Schema;
  } catch (error) {
    return `Not compared with Alertmanager's OpenAPI document: ${(error as Error).message.split('\n')[0]}`;
  }
}

/** References point to where OpenAPI 3 has schemas. Members of `allOf` are one object, since values are generated from it. */
function schemaOf(value: Json, document: Schema): Json {
  if (Array.isArray(value)) {
    return value.map((one) => schemaOf(one, document));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const { allOf, $ref, ...rest } = value as Schema;
  if (allOf) {
    const parts = (allOf as Schema[]).map((one) => schemaOf(one.$ref ? follow(one.$ref, document) : one, document));
    return {
      type: 'object',
      properties: Object.assign({}, ...parts.map((one) => one.properties)) as Schema,
      required: parts.flatMap((one) => one.required ?? []),
    };
  }
  const members = Object.entries(rest).map(([name, one]) => [name, schemaOf(one, document)]);
  return {
    ...Object.fromEntries(members),
    ...($ref && { $ref: ($ref as string).replace('definitions', 'components/schemas') }),
  };
}
const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);
const follow = (reference: string, document: Schema): Schema => document.definitions[nameOf(reference)];

const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });
/** Responses to every request: access, size, media type, rate. */
const OF_THE_BRIDGE = Object.fromEntries(['400', '403', '413', '415', '429'].map((s) => [s, json({ type: 'string' })]));

/** The parts of OpenAPI 3 that requests are generated from, of a document of Swagger 2. */
function pageOf(document: Schema): Schema {
  const operationOf = (shared: Json[], { operationId, parameters = [], responses }: Schema): Schema => {
    const all = [...shared, ...parameters].map(({ name, in: where, schema, ...type }: Json) => ({
      name,
      in: where,
      schema: schemaOf(schema ?? type, document),
    }));
    const body = all.find((one) => one.in === 'body');
    const described = Object.entries<Json>(responses).map(([status, response]) => {
      const { schema } = response.$ref ? document.responses[nameOf(response.$ref as string)] : response;
      // Alertmanager, too, has a text for those without a schema, except for 200.
      return [status, schema ? json(schemaOf(schema, document)) : status === '200' ? {} : json({ type: 'string' })];
    });
    return {
      operationId,
      parameters: all.filter((one, index) => one !== body && all.findIndex(({ name }) => name === one.name) === index),
      requestBody: body && json(body.schema),
      responses: { ...OF_THE_BRIDGE, ...Object.fromEntries(described) },
    };
  };
  const paths = Object.entries<Schema>(document.paths).map(([path, { parameters = [], ...methods }]) => [
    ALERTMANAGER_BASE + path,
    Object.fromEntries(Object.entries<Schema>(methods).map(([name, one]) => [name, operationOf(parameters, one)])),
  ]);
  return { paths: Object.fromEntries(paths), components: { schemas: schemaOf(document.definitions, document) } };
}

test(
  `${REQUESTS} generated requests: each response is as Alertmanager's document describes it`,
  { timeout: 600_000 },
  async (context) => {
    const document = readDocument();
    if (typeof document === 'string') {
      return context.skip(document);
    }
    const page = pageOf(document);
    const bridge = await runBridge(undefined, { NODEBELL_LOG_LEVEL: 'silent' });
    onTestFinished(() => bridge.stop());
    const { unexpected, operations, statuses } = await proveRequests({
      bridge,
      requests: REQUESTS,
      seed: Date.now(),
      page,
    });
    expect(unexpected).toEqual([]);
    expect(operations).toBe(9);
    expect(statuses['200']).toBeGreaterThan(REQUESTS / 10);
    const shown = (await (await bridge.get(`${ALERTMANAGER_BASE}/alerts`)).json()) as unknown[];
    expect(shown.length).toBeGreaterThan(0);
  }
);
