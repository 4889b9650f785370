/** The running bridge, with its OpenAPI document and schemas. */
import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll } from 'vitest';
import { SCHEMA_NAMES } from '../../backend-bridge/src/platform/http/openapi.ts';
import { TestBridge } from '../integration/support.ts';
import { watchRoutes } from './routes.ts';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- documents have the type that the test expects
export type Any = any;
export type Json = Record<string, Any>;

export interface Published {
  bridge: TestBridge;
  /** `METHOD /path` of every route. */
  routes: string[];
  page: Json;
  schemas: Map<string, Json>;
  /** A validator for a published schema. */
  compiled(name: string): ValidateFunction;
}

export function newAjv(strict: boolean, options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ strict, allErrors: true, allowUnionTypes: true, ...options });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  return ajv;
}

/** Resolves a JSON Pointer in a `$ref`. */
export function follow(reference: string, root: Json): Json | undefined {
  return reference
    .slice(2)
    .split('/')
    .reduce<Any>((value, token) => value?.[token], root);
}

async function publish(): Promise<Published> {
  const routesOf = watchRoutes();
  const bridge = await TestBridge.start({ outboundAllow: ['127.0.0.1'] });
  const schemas = new Map<string, Json>();
  for (const name of SCHEMA_NAMES) {
    schemas.set(name, await bridge.call<Json>('GET', `/api/v1/schemas/${name}.json`));
  }
  const ajv = newAjv(true);
  return {
    bridge,
    routes: routesOf(),
    page: await bridge.call<Json>('GET', '/api/v1/openapi.json'),
    schemas,
    compiled: (name) => ajv.getSchema(schemas.get(name)!.$id as string) ?? ajv.compile(schemas.get(name)!),
  };
}

/** One for all tests of a file. */
export function usePublished(): () => Published {
  let published: Published;
  beforeAll(async () => {
    published = await publish();
  });
  afterAll(() => published.bridge.dispose());
  return () => published;
}
