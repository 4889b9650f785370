/** Generated requests, from what the OpenAPI page says of an operation. */
import fc from 'fast-check';
import { ADMIN_TOKEN } from '../bench/bridge.ts';
import { hostileText, type Json, mutated, type Schema, valuesOf } from './schemaValues.ts';

export interface Generated {
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

const encoded = fc.oneof(
  // Not empty: that is another path.
  { weight: 8, arbitrary: hostileText.map((text) => encodeURIComponent(text.toWellFormed()) || '%20') },
  // Not valid as an encoding.
  { weight: 1, arbitrary: fc.constantFrom('%', '%zz', '%ff', '%c0%ae', '%ed%a0%80', 'a%', '%2', '..', '.', '%2e%2e') }
);
/** Callers: nobody, or the admin, alone or for a person in Grafana. */
const callers = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Record<string, string>>({ Authorization: `Bearer ${ADMIN_TOKEN}` }) },
  {
    weight: 6,
    arbitrary: fc
      .record({ user: fc.integer({ min: 0, max: 40 }), role: fc.constantFrom('Admin', 'Editor', 'Viewer', 'None', '') })
      .map(({ user, role }) => ({
        Authorization: `Bearer ${ADMIN_TOKEN}`,
        'X-Grafana-Context': JSON.stringify({
          OrgID: 1,
          OrgRole: role,
          UserID: user,
          UserUID: `u${user}`,
          Login: `u${user}`,
        }),
      })),
  },
  {
    weight: 1,
    arbitrary: hostileText.map((text) => ({
      Authorization: `Bearer ${ADMIN_TOKEN}`,
      'X-Grafana-Context': headerText(text),
    })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>({}, { Authorization: 'Bearer wrong' }, { Authorization: '' }),
  }
);

/** Node sends no control characters, and only Latin-1. */
const headerText = (text: string): string => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 1000);

/** Requests of one operation, most of them almost valid. */
export function requestsOf(
  path: string,
  { parameters = [], requestBody }: Schema,
  page: Schema
): fc.Arbitrary<Generated> {
  const named = (where: string): Schema[] => (parameters as Schema[]).filter((one) => one.in === where);
  const paths = fc.record(
    Object.fromEntries(
      named('path').map(({ name, schema }) => [
        name as string,
        fc.oneof(
          encoded,
          fc.constantFrom('1', '2', 'geth.example.eth', 'disk', 'system', 'title', 'body'),
          valuesOf(schema as Schema, page).map((value) => encodeURIComponent(String(value).toWellFormed()) || '%20')
        ),
      ])
    )
  );
  const queries = fc.record(
    Object.fromEntries(
      named('query').map(({ name, schema }) => [
        name as string,
        fc.oneof(
          {
            weight: 3,
            arbitrary: valuesOf(schema as Schema, page).map((value) => (Array.isArray(value) ? value : [value])),
          },
          { weight: 1, arbitrary: fc.array(hostileText, { minLength: 1, maxLength: 3 }) }
        ),
      ])
    ),
    { requiredKeys: [] }
  );
  const unknown = fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary: encoded });
  const own = fc.record(
    Object.fromEntries(named('header').map(({ name }) => [name as string, hostileText.map(headerText)])),
    { requiredKeys: [] }
  );
  return fc
    .record({ paths, queries, unknown, own, caller: callers, body: bodiesOf(requestBody as Schema | undefined, page) })
    .map((parts) => {
      const query = Object.entries(parts.queries).flatMap(([name, values]) =>
        (values as Json[]).map((value) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`)
      );
      const search = [...query, ...(parts.unknown === '' ? [] : [parts.unknown])].join('&');
      return {
        path: `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parts.paths[name]!)}${search === '' ? '' : `?${search}`}`,
        headers: { ...parts.caller, ...(parts.own as Record<string, string>), ...parts.body.headers },
        body: parts.body.bytes,
      };
    });
}

interface Body {
  headers: Record<string, string>;
  bytes: Buffer | undefined;
}

function bodiesOf(requestBody: Schema | undefined, page: Schema): fc.Arbitrary<Body> {
  if (requestBody === undefined) {
    return fc.constant({ headers: {}, bytes: undefined });
  }
  const [[type, { schema }]] = Object.entries(requestBody.content as Schema) as [[string, Schema]];
  const raw = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
  const values = type === 'application/json' ? valuesOf(schema as Schema, page) : undefined;
  // Lone surrogates as the escapes that JSON.stringify writes.
  const json = (arbitrary: fc.Arbitrary<Json>): fc.Arbitrary<Buffer> =>
    arbitrary.map((value) => Buffer.from(JSON.stringify(value) ?? ''));
  const bytes = values
    ? fc.oneof(
        { weight: 8, arbitrary: json(values) },
        { weight: 8, arbitrary: json(mutated(values)) },
        { weight: 2, arbitrary: json(mutated(mutated(values))) },
        { weight: 1, arbitrary: json(values).map((whole) => whole.subarray(0, Math.floor(whole.length / 2))) },
        { weight: 1, arbitrary: json(fc.jsonValue()) },
        { weight: 1, arbitrary: raw },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 5000 }).map((depth) => Buffer.from('['.repeat(depth))) }
      )
    : raw;
  const types = fc.oneof(
    { weight: 20, arbitrary: fc.constant(type) },
    { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'x', '') }
  );
  return fc
    .record({ bytes, type: types })
    .map((made) => ({ headers: { 'Content-Type': made.type }, bytes: made.bytes }));
}
