/** Manifests and other objects changed at random. */
import fc from 'fast-check';

export type Json = Record<string, unknown>;

/** Values that are right somewhere, and wrong nearly everywhere else. */
export const value = fc.oneof(
  fc.constantFrom<unknown>(
    ...[
      '',
      '1',
      '0',
      '65536',
      '080',
      '1.2.3',
      '1a2b3',
      '1😀2😀3',
      '1.2',
      'true',
      'false',
      'service',
      'bitcoin',
      'Lido',
      '/a',
      '~/a',
      '/~',
      '\n',
    ],
    ...[0, 1, 80, 65535, 65536, 80.5, -1, 1e300, true, false, null, [], {}, [''], ['a'], [1], [[]]],
    ...[{ all: true }, { all: 'true' }, [{ envs: ['A'], services: ['b'] }], [{ envs: 'A' }], [{}]],
    ...[
      { driver: 'ethereum' },
      { driver: '' },
      { driver: 'a', portNumber: 0 },
      { a: 'b' },
      { 'a.eth': '1.0.0' },
      { 'A.eth': 1 },
    ],
    ...[
      { onMajorUpdate: 'a' },
      { onPatchUpdate: 1 },
      { message: 'a' },
      { name: 'a', path: '/b' },
      { name: 'a', port: '80' },
    ]
  ),
  fc.jsonValue({ maxDepth: 2 }).filter((one) => !/"(?:__proto__|constructor|prototype)"/.test(JSON.stringify(one)))
);
const isObject = (one: unknown): one is Json => typeof one === 'object' && one !== null;

/** One of these objects with some of its members, at any depth, replaced, added or removed. */
export const mutated = (manifests: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc
    .tuple(
      manifests,
      fc.array(
        fc.tuple(fc.array(fc.nat(40), { minLength: 1, maxLength: 6 }), fc.constantFrom('set', 'remove', 'add'), value),
        { minLength: 1, maxLength: 4 }
      )
    )
    .map(([given, changes]) => {
      const manifest = structuredClone(given);
      for (const [steps, action, to] of changes) {
        change(manifest, steps, action, structuredClone(to));
      }
      return manifest;
    });

function change(target: Json, [step = 0, ...rest]: number[], action: string, to: unknown): void {
  const keys = Object.keys(target);
  const key = keys[step % Math.max(1, keys.length)];
  const inner = key === undefined ? undefined : target[key];
  if (rest.length > 0 && isObject(inner)) {
    change(inner, rest, action, to);
  } else if (action === 'add' || key === undefined) {
    target[Array.isArray(target) ? keys.length : 'added'] = to;
  } else if (action === 'remove' && !Array.isArray(target)) {
    delete target[key];
  } else {
    target[key] = to;
  }
}
