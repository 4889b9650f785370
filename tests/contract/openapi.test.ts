/** The OpenAPI document is valid and matches the running bridge. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../backend-bridge/contract/api.ts';
import { PROBLEM_KINDS } from '../../backend-bridge/contract/problem.ts';
import { foreignApiAt } from '../../backend-bridge/src/platform/http/foreignApis.ts';
import { follow, type Json, usePublished } from './published.ts';

const published = usePublished();

describe('the OpenAPI document', () => {
  it('contains every route of the running bridge, and no others', () => {
    expect(published().routes.length).toBeGreaterThan(25);
    expect([...published().routes].sort()).toEqual(
      OPERATIONS.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()
    );
    const shown = Object.entries<Json>(published().page.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
    );
    expect(shown.sort()).toEqual([...published().routes].sort());
  });

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(published().page));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(published().page.openapi).toMatch(/^3\.1\.\d+$/);
  });

  it('has no unresolved references', () => {
    const references = [...JSON.stringify(published().page).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to!);
    expect(references.length).toBeGreaterThan(20);
    for (const to of new Set(references)) {
      const target = follow(to, published().page);
      expect(target, to).toBeTypeOf('object');
    }
  });

  it('describes a schema of responses as it is in responses, and that of requests apart', () => {
    const { schemas } = published().page.components as Json;
    const url = (name: string): Json => (schemas[name] as Json).properties.url;
    // Characters beyond ASCII stay as they were sent.
    expect(url('CallToAction')).not.toHaveProperty('format');
    expect(url('CallToActionInput')).toHaveProperty('pattern');
    expect(schemas.Notification.properties.callToAction.$ref).toBe('#/components/schemas/CallToAction');
    expect(schemas.NotificationPayload.properties.callToAction.$ref).toBe('#/components/schemas/CallToActionInput');
  });

  it('has an id, a summary and the errors of every operation', () => {
    const all = Object.entries<Json>(published().page.paths).flatMap(([path, methods]) =>
      Object.values<Json>(methods).map((operation): Json => ({
        ...operation,
        // Clients of another program's API expect its errors.
        type: foreignApiAt(path)?.errorOf ? 'application/json' : 'application/problem+json',
      }))
    );
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
    const statuses = new Set(Object.values(PROBLEM_KINDS).map(({ status }) => String(status)));
    for (const { operationId, summary, responses, type } of all) {
      expect(summary, operationId).toMatch(/\w/);
      expect(Object.keys(responses), operationId).toContain('500');
      for (const [status, { content }] of Object.entries<Json>(responses)) {
        expect(
          Number(status) < 300 || status === '304' || (statuses.has(status) && type in content),
          `${operationId} ${status}`
        ).toBe(true);
      }
    }
  });

  it('describes every path parameter', () => {
    for (const [path, methods] of Object.entries<Json>(published().page.paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const [method, { parameters }] of Object.entries<Json>(methods)) {
        const described = (parameters as Json[]).filter((one) => one.in === 'path');
        expect(
          described.map(({ name }) => name),
          `${method} ${path}`
        ).toEqual(names);
        expect(
          (parameters as Json[]).every(({ description }) => description.length > 0),
          `${method} ${path}`
        ).toBe(true);
      }
    }
  });
});
