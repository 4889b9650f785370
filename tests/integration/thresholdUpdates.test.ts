/** Automatic updates never discard settings of users: a sequence of ten updates, and fifty random steps. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PACKAGES, GETH } from './packages.testing.ts';
import type { TestBridge } from './support.ts';
import { type EndpointFile, packageOf, patch, PEERS, register, update, withBridge } from './thresholds.testing.ts';

const DISK: EndpointFile = {
  correlationId: 'geth-disk',
  conditions: ['[BODY].load <= 0.75'],
  metric: { min: 0, max: 1 },
};
const SLOW: EndpointFile = {
  correlationId: 'geth-slow',
  conditions: ['[RESPONSE_TIME] < 500ms'],
  metric: { min: 100, max: 2000, unit: 'ms' },
};

/** The effective value of an endpoint, or the reason why it is not applied. */
async function fateOf(bridge: TestBridge, correlationId: string): Promise<string> {
  const { endpoints, leftovers } = await packageOf(bridge);
  const one = endpoints.find((endpoint) => endpoint.correlationId === correlationId);
  const left = leftovers.find((leftover) => leftover.correlationId === correlationId);
  const effective = one === undefined ? 'not defined' : one.condition!.effective;
  return left === undefined ? effective : `${effective}; kept: ${left.threshold}`;
}

test('ten automatic updates', async () => {
  await withBridge(async (bridge) => {
    await register(bridge, { endpoints: [PEERS, DISK, SLOW] });
    await patch(bridge, 'geth-peers', { threshold: 25, enabled: false });
    await patch(bridge, 'geth-disk', { threshold: 0.5 });
    await patch(bridge, 'geth-slow', { threshold: 900 });
    const expected = async (peers: string, disk: string, slow: string): Promise<void> => {
      expect([
        await fateOf(bridge, 'geth-peers'),
        await fateOf(bridge, 'geth-disk'),
        await fateOf(bridge, 'geth-slow'),
      ]).toEqual([peers, disk, slow]);
    };
    const [peers, disk, slow] = ['[BODY].result >= 25', '[BODY].load <= 0.5', '[RESPONSE_TIME] < 900ms'];
    const updates: [version: string, endpoints: EndpointFile[], peers: string, disk: string, slow: string][] = [
      ['1.0.1', [SLOW, PEERS, DISK], peers, disk, slow],
      ['1.0.2', [{ ...PEERS, conditions: ['[BODY].result >= 12'] }, DISK, SLOW], peers, disk, slow],
      ['1.0.3', [{ ...PEERS, metric: { min: 0, max: 20 } }, DISK, SLOW], peers, disk, slow],
      ['1.0.4', [DISK, SLOW], 'not defined; kept: 25', disk, slow],
      [
        '1.0.5',
        [{ ...PEERS, name: 'Another name', definition: { title: 'New', description: 'x' } }, DISK, SLOW],
        peers,
        disk,
        slow,
      ],
      [
        '1.0.6',
        [{ ...PEERS, conditions: ['[STATUS] == 200', '[BODY].result >= 10'] }, DISK, SLOW],
        '[STATUS] == 200; kept: 25',
        disk,
        slow,
      ],
      ['1.0.7', [PEERS, { ...DISK, metric: undefined }, SLOW], peers, '[BODY].load <= 0.75; kept: 0.5', slow],
      [
        '1.0.8',
        [PEERS, DISK, { ...SLOW, conditions: ['[RESPONSE_TIME] < 2s'] }],
        peers,
        disk,
        '[RESPONSE_TIME] < 2s; kept: 900',
      ],
      ['1.0.9', [PEERS, { ...DISK, conditions: ['[BODY].load < 0.75'] }, SLOW], peers, '[BODY].load < 0.5', slow],
      ['1.1.0', [PEERS, DISK, SLOW], peers, disk, slow],
    ];
    for (const [version, endpoints, ...fates] of updates) {
      await update(bridge, { version, endpoints });
      await expected(...fates);
    }
    const { endpoints } = await packageOf(bridge);
    expect(endpoints[0]!.enabled).toMatchObject({ value: false, shipped: true, origin: 'user' });
  });
});

/** Possible versions of a package, and changes of a user in between. */
type Step =
  | { kind: 'update'; ids: string[]; shipped: number; reversed: boolean; numeric: boolean }
  | { kind: 'set'; id: string; value: number }
  | { kind: 'switch'; id: string; enabled: boolean }
  | { kind: 'reset'; id: string }
  | { kind: 'remove' };

const IDS = ['geth-aa', 'geth-bb', 'geth-cc'];
const id = fc.constantFrom(...IDS);
const value = fc.integer({ min: 0, max: 200 }).map((number) => number / 4);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('set' as const), id, value }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('update' as const),
      ids: fc.shuffledSubarray(IDS),
      shipped: value,
      reversed: fc.boolean(),
      numeric: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('switch' as const), id, enabled: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const), id }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const) }) }
);

interface Model {
  shipped: Map<string, string>;
  thresholds: Map<string, { value: number; subject: string }>;
  switches: Map<string, boolean>;
}

/** The number in `[BODY].x >= 1` and in `[BODY].x <= 1` has different meanings. */
const subject = (condition: string): string => condition.replace(/[\d.]+$/, '');

function endpointsOf({ ids, shipped, reversed, numeric }: Extract<Step, { kind: 'update' }>): EndpointFile[] {
  return ids.map((correlationId) => ({
    ...PEERS,
    correlationId,
    conditions: [numeric ? `[BODY].${correlationId} ${reversed ? '<=' : '>='} ${shipped}` : '[BODY].ok == true'],
  }));
}

async function take(bridge: TestBridge, model: Model, one: Step, count: number): Promise<void> {
  if (one.kind === 'update') {
    const files = { version: `1.0.${count}`, endpoints: endpointsOf(one) };
    await (model.shipped.size === 0 && !(await isRegistered(bridge)) ? register(bridge, files) : update(bridge, files));
    model.shipped = new Map(files.endpoints.map(({ correlationId, conditions }) => [correlationId, conditions![0]!]));
  } else if (one.kind === 'remove') {
    await bridge.request('DELETE', `${PACKAGES}/${GETH}`);
    model.shipped = new Map();
  } else {
    const change =
      one.kind === 'set'
        ? { threshold: one.value }
        : one.kind === 'switch'
          ? { enabled: one.enabled }
          : { threshold: null, enabled: null };
    const { status } = await patch(bridge, one.id, change);
    const condition = model.shipped.get(one.id);
    const canBeSet = condition !== undefined && (one.kind !== 'set' || /\d$/.test(condition));
    expect(status < 300).toBe(canBeSet);
    if (canBeSet && one.kind === 'set') {
      model.thresholds.set(one.id, { value: one.value, subject: subject(condition) });
    } else if (canBeSet && one.kind === 'switch') {
      model.switches.set(one.id, one.enabled);
    } else if (canBeSet) {
      model.thresholds.delete(one.id);
      model.switches.delete(one.id);
    }
  }
}

const isRegistered = async (bridge: TestBridge): Promise<boolean> =>
  (await bridge.request('GET', `${PACKAGES}/${GETH}`)).status === 200;

/** Every value that was set is in effect, or there is a reason why not. */
async function check(bridge: TestBridge, { shipped, thresholds, switches }: Model): Promise<void> {
  if (!(await isRegistered(bridge))) {
    return;
  }
  const { endpoints, leftovers } = await packageOf(bridge);
  for (const [correlationId, condition] of shipped) {
    const one = endpoints.find((endpoint) => endpoint.correlationId === correlationId)!;
    const set = thresholds.get(correlationId);
    const isInEffect = set !== undefined && /\d$/.test(condition) && subject(condition) === set.subject;
    expect(one.condition!.effective).toBe(isInEffect ? subject(condition) + set.value : condition);
    expect(one.enabled.value).toBe(switches.get(correlationId) ?? true);
    expect(leftovers.find((left) => left.correlationId === correlationId)?.threshold).toBe(
      set === undefined || isInEffect ? undefined : set.value
    );
  }
  for (const correlationId of IDS.filter((one) => !shipped.has(one))) {
    const left = leftovers.find((leftover) => leftover.correlationId === correlationId);
    expect([left?.threshold, left?.enabled]).toEqual([
      thresholds.get(correlationId)?.value,
      switches.get(correlationId),
    ]);
  }
}

test('fifty random steps: every value is in effect, or there is a reason why not', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 50, maxLength: 50 }), (steps) =>
      withBridge(async (bridge) => {
        const model: Model = { shipped: new Map(), thresholds: new Map(), switches: new Map() };
        for (const [count, one] of steps.entries()) {
          await take(bridge, model, one, count);
          await check(bridge, model);
        }
      })
    ),
    { numRuns: 8 }
  );
});
