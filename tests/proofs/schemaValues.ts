/** Values of a JSON Schema, and values that are almost of it. */
import fc from 'fast-check';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any JSON
export type Json = any;
export type Schema = Record<string, Json>;

const MAX_DEPTH = 8;

/** Text that has broken programs before, and values that are known to the bridge. */
const HOSTILE = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  '\0',
  '\ufeff',
  '\u202e',
  'ﷺ',
  '%00',
  '%',
  '..',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  "' or 1=1 --",
  '"; drop table notifications; --',
  '$1',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '\r\nX-Injected: 1',
  '🦊',
  '👩‍👩‍👧‍👦',
  '\ud800',
  'İ',
  'x'.repeat(300),
  'x'.repeat(5000),
  '1',
  '2',
  '17',
  'geth.example.eth',
  'disk',
];
export const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) }
);
const hostileValue: fc.Arbitrary<Json> = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  {
    weight: 2,
    arbitrary: fc.constantFrom(null, true, false, 0, -1, 0.5, 2 ** 53, -(2 ** 31) - 1, 1e308, 5e-324, [], {}, [[]]),
  },
  { weight: 1, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) }
);

/** No address that a server outside of this machine has. */
const HOSTS = [
  '127.0.0.1:9',
  'localhost:9',
  '[::1]:9',
  '0.0.0.0',
  '169.254.169.254',
  '10.0.0.1',
  '127.1',
  '2130706433',
];
const uris = fc.oneof(
  fc
    .record({ scheme: fc.constantFrom('http', 'https', 'file', 'javascript', 'HTTP'), host: fc.constantFrom(...HOSTS) })
    .map(({ scheme, host }) => `${scheme}://${host}/x`),
  fc.constantFrom('/x', '//x', '#', 'x:y', 'http://', 'http://[', 'data:text/html,x')
);
const dates = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

function texts({ format, pattern, enum: words, examples, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<Json> {
  if (words !== undefined) {
    return fc.constantFrom(...(words as string[]));
  }
  if (format === 'date-time') {
    return dates;
  }
  if (format === 'uri' || format === 'uri-reference') {
    return uris;
  }
  const some = examples === undefined ? [] : [fc.constantFrom(...(examples as string[]))];
  const known = fc.constantFrom('geth.example.eth', 'disk', 'system', 'health', '1', '90d', 'a');
  const longest = Math.min(maxLength as number, 60);
  if (pattern !== undefined) {
    try {
      return fc.oneof(...some, fc.stringMatching(new RegExp(pattern as string)));
    } catch {
      // fast-check does not generate this kind.
    }
  }
  return fc.oneof(
    ...some,
    known,
    fc.string({ unit: 'grapheme', minLength: Math.min(minLength as number, longest), maxLength: longest })
  );
}

function numbers({ type, minimum, maximum, exclusiveMinimum }: Schema): fc.Arbitrary<Json> {
  const least = (minimum ?? exclusiveMinimum ?? -1_000_000) as number;
  const most = Math.max(least, (maximum ?? 1_000_000) as number);
  return type === 'integer'
    ? fc.oneof(fc.integer({ min: Math.ceil(least), max: Math.floor(most) }), fc.constantFrom(least, most))
    : fc.double({ min: least, max: most, noNaN: true });
}

/**
 * Values of a schema, from what the bridge's own schemas use of JSON Schema.
 * @param root document that `$ref` points into
 */
export function valuesOf(schema: Schema, root: Schema, depth = 0): fc.Arbitrary<Json> {
  const of = (inner: Schema): fc.Arbitrary<Json> => valuesOf(inner, root, depth + 1);
  if (depth > MAX_DEPTH) {
    return fc.jsonValue({ maxDepth: 1 });
  }
  if (schema.$ref !== undefined) {
    return of(follow(schema.$ref as string, root));
  }
  const { anyOf, oneOf = anyOf, type } = schema;
  const choices = (oneOf ??
    (Array.isArray(type) ? type.map((one: string) => ({ ...schema, type: one })) : undefined)) as Schema[] | undefined;
  if (choices !== undefined) {
    return fc.oneof(...choices.map(of));
  }
  return schema.const === undefined ? plainValues(schema, of) : fc.constant(schema.const);
}

function plainValues(schema: Schema, of: (inner: Schema) => fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  switch (schema.type) {
    case 'string':
      return texts(schema);
    case 'integer':
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return arrays(schema, of);
    case 'object':
      return objects(schema, of);
    default:
      return schema.properties === undefined ? fc.jsonValue({ maxDepth: 2 }) : objects(schema, of);
  }
}

function arrays(
  { prefixItems, items = {}, minItems = 0, maxItems = 3 }: Schema,
  of: (inner: Schema) => fc.Arbitrary<Json>
): fc.Arbitrary<Json> {
  return prefixItems
    ? fc.tuple(...(prefixItems as Schema[]).map(of))
    : fc.array(of(items as Schema), {
        minLength: Math.min(minItems as number, 3),
        maxLength: Math.min(maxItems as number, 3),
      });
}

function objects(
  { properties = {}, required = [], additionalProperties }: Schema,
  of: (inner: Schema) => fc.Arbitrary<Json>
): fc.Arbitrary<Json> {
  const named = fc.record(
    Object.fromEntries(Object.entries(properties as Schema).map(([name, inner]) => [name, of(inner as Schema)])),
    { requiredKeys: required as string[] }
  );
  if (typeof additionalProperties !== 'object') {
    return named;
  }
  const others = fc.dictionary(hostileText, of(additionalProperties as Schema), { maxKeys: 3 });
  return fc.tuple(named, others).map(([mine, more]) => ({ ...more, ...mine }));
}

/** A `$ref` within the document. */
function follow(reference: string, root: Schema): Schema {
  const found = reference
    .slice(2)
    .split('/')
    .reduce<Json>((value, token) => value?.[token.replaceAll('~1', '/').replaceAll('~0', '~')], root);
  if (found === undefined) {
    throw new Error(`the document has no ${reference}`);
  }
  return found as Schema;
}

/** Each value with a part of it replaced, removed or added. */
export const mutated = (values: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc
    .tuple(values, fc.nat(1000), fc.constantFrom('replace', 'remove', 'add'), hostileText, hostileValue)
    .map(([value, at, how, name, hostile]) => {
      const places: { holder: Json; key: string | number }[] = [];
      const top = { value: structuredClone<Json>(value) };
      const visit = (holder: Json, key: string | number): void => {
        places.push({ holder, key });
        const inner = holder[key];
        if (inner !== null && typeof inner === 'object') {
          Object.keys(inner as object).forEach((one) => visit(inner, one));
        }
      };
      visit(top, 'value');
      const { holder, key } = places[at % places.length]!;
      const here = holder[key];
      if (how === 'add' && here !== null && typeof here === 'object') {
        if (Array.isArray(here)) {
          here.push(hostile);
        } else {
          Object.defineProperty(here, name, { value: hostile, enumerable: true, configurable: true, writable: true });
        }
      } else if (how === 'remove' && !Array.isArray(holder)) {
        delete holder[key];
      } else {
        holder[key] = hostile;
      }
      return top.value;
    });
