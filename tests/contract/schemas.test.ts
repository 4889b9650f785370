/** The published schemas are complete, and consistent with the bridge. */
import { describe, expect, it } from 'vitest';
import { readPayload } from '../../backend-bridge/contract/readPayload.ts';
import { SCHEMA_NAMES } from '../../backend-bridge/src/platform/http/openapi.ts';
import { follow, type Json, newAjv, usePublished } from './published.ts';

const published = usePublished();

/** Every nested object schema, with its path. */
function* objects(schema: unknown, at = ''): Generator<{ at: string; properties: Record<string, Json> }> {
  if (typeof schema === 'object' && schema !== null) {
    const { properties } = schema as Json;
    if (properties !== undefined) {
      yield { at, properties };
    }
    for (const [key, value] of Object.entries(schema)) {
      yield* objects(value, `${at}/${key}`);
    }
  }
}

describe('schemas', () => {
  it('every property of every schema has a description', () => {
    const lacking: string[] = [];
    let properties = 0;
    for (const [name, schema] of [
      ['page', { paths: published().page.paths, components: published().page.components }] as const,
      ...published().schemas,
    ]) {
      for (const one of objects(schema)) {
        for (const [property, { description, $ref }] of Object.entries(one.properties)) {
          properties += 1;
          const target =
            $ref === undefined ? undefined : follow($ref as string, name === 'page' ? published().page : schema);
          if (!/\w/.test(description ?? target?.description ?? '')) {
            lacking.push(`${name}${one.at} ${property}`);
          }
        }
      }
    }
    expect(properties).toBeGreaterThan(150);
    expect(lacking).toEqual([]);
  });

  it.each(SCHEMA_NAMES)('%s has an $id with its path, and is JSON Schema 2020-12', (name) => {
    const schema = published().schemas.get(name)!;
    expect(schema.$id).toBe(`/api/v1/schemas/${name}.json`);
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(newAjv(true).validateSchema(schema)).toBe(true);
    expect(() => published().compiled(name)).not.toThrow();
  });

  it('the error for an unknown one lists the known ones', async () => {
    const { status, body } = await published().bridge.request('GET', '/api/v1/schemas/constructor.json');
    expect(status).toBe(404);
    expect(body.detail).toContain('notification-payload');
  });

  it('optional members of the payload have a default, and all members an example', () => {
    const { NotificationPayload: payload, CallToAction: link } = published().schemas.get('notification-payload')!
      .$defs as Json;
    const defaults = Object.entries<Json>(payload.properties).flatMap(([name, one]) =>
      'default' in one ? [[name, one.default]] : []
    );
    expect(Object.fromEntries(defaults)).toEqual({
      category: 'other',
      dnpName: 'unknown',
      priority: 'low',
      status: 'triggered',
      isBanner: false,
    });
    expect(payload.required).toEqual(['title', 'body']);
    const { callToAction: _link, ...others } = payload.properties as Json;
    for (const [name, one] of Object.entries<Json>({ ...others, ...link.properties })) {
      expect(one.examples?.length, name).toBeGreaterThan(0);
    }
  });

  it('the examples are accepted', () => {
    const { NotificationPayload: payload, CallToAction: link } = published().schemas.get('notification-payload')!
      .$defs as Json;
    for (const [name, one] of Object.entries<Json>({ ...payload.properties })) {
      for (const example of one.examples ?? []) {
        const sent = { title: 'T', body: 'B', [name]: example };
        expect(readPayload(sent), name).toMatchObject({ ok: true });
        expect(published().compiled('notification-payload')(sent), name).toBe(true);
      }
    }
    for (const url of link.properties.url.examples) {
      expect(readPayload({ title: 'T', body: 'B', callToAction: { title: 'x', url } })).toMatchObject({ ok: true });
    }
  });
});

describe("the payload's schema and the bridge agree", () => {
  const base = { title: 'T', body: 'B' };
  const link = (url: unknown) => ({ ...base, callToAction: { title: 'Go', url } });
  it.each<[string, unknown, boolean]>([
    ['title and body', base, true],
    ['no title', { body: 'B' }, false],
    ['no body', { title: 'T' }, false],
    ['an empty title', { ...base, title: '' }, false],
    ['a blank title', { ...base, title: ' \t\u00a0\ufeff' }, false],
    ['an empty body', { ...base, body: '' }, true],
    ['a number for a title', { ...base, title: 1 }, false],
    ['null for a body', { ...base, body: null }, false],
    ['a list', [base], false],
    ['text', 'text', false],
    ['null', null, false],
    ['an unknown category', { ...base, category: 'my own' }, true],
    ['a number for a category', { ...base, category: 1 }, false],
    ['a list for a package', { ...base, dnpName: [] }, false],
    ...(['low', 'medium', 'high', 'critical'] as const).map((priority): [string, unknown, boolean] => [
      priority,
      { ...base, priority },
      true,
    ]),
    ['an unknown priority', { ...base, priority: 'urgent' }, false],
    ['triggered', { ...base, status: 'triggered' }, true],
    ['resolved', { ...base, status: 'resolved' }, true],
    ['an unknown status', { ...base, status: 'firing' }, false],
    ['a number for a correlationId', { ...base, correlationId: 1 }, false],
    ['a banner', { ...base, isBanner: true }, true],
    ['a number for isBanner', { ...base, isBanner: 1 }, false],
    ['errors', { ...base, errors: 'e' }, true],
    ['a list of errors', { ...base, errors: ['e'] }, false],
    ['https', link('https://example.org/a?b=c#d'), true],
    ['HTTP', link('HTTP://example.org'), true],
    ['a path', link('/d/host?var-node=1'), true],
    ['javascript', link('javascript:alert(1)'), false],
    ['data', link('data:text/html,x'), false],
    ['another host without a scheme', link('//example.org'), false],
    ['another host with a back slash', link('/\\example.org'), false],
    ['a word', link('example'), false],
    ['a number for a link', link(1), false],
    ['a link without words', { ...base, callToAction: { url: '/a' } }, false],
    ['a link with empty words', { ...base, callToAction: { title: '', url: '/a' } }, false],
    ['words without a link', { ...base, callToAction: { title: 'Go' } }, false],
    ['an icon', { ...base, icon: 'https://example.org/i.png' }, true],
    ['an icon of script', { ...base, icon: 'javascript:x' }, false],
    ['unknown members', { ...base, isRemote: false, nested: { a: [1] } }, true],
    ['seen and timestamp', { ...base, seen: true, timestamp: 1 }, true],
  ])('%s: %j is %j', (_what, sent, taken) => {
    expect(published().compiled('notification-payload')(sent)).toBe(taken);
    expect(readPayload(sent).ok).toBe(taken);
  });

  it.each([
    { priority: 'HIGH' },
    { status: ' Resolved ' },
    { isBanner: 'true' },
    { category: null },
    { icon: '' },
    { callToAction: {} },
  ])('the bridge is more lenient than its schema: %j', (more) => {
    expect(readPayload({ ...base, ...more }).ok).toBe(true);
    expect(published().compiled('notification-payload')({ ...base, ...more })).toBe(false);
  });
});
