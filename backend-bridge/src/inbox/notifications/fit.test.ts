import { expect, test } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import { fitExtra, fitIncoming, shortName } from './fit.ts';

const bytes = (value: unknown): number => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
const LONG = '🦊'.repeat(500);

test('a long name is shortened to its limit: the same to the same, others to others', () => {
  const [one, other] = [`${LONG}1`, `${LONG}2`];
  expect(bytes(shortName(one))).toBeLessThanOrEqual(LIMITS.nameBytes.value);
  expect(shortName(one).isWellFormed()).toBe(true);
  expect(shortName(one)).toBe(shortName(one));
  expect(shortName(one)).not.toBe(shortName(other));
  expect(shortName(shortName(one))).toBe(shortName(one));
});

test('a name of exactly the limit stays as it is', () => {
  const name = '🦊'.repeat(LIMITS.nameBytes.value / 4);
  expect(shortName(name)).toBe(name);
  expect(shortName(`${name}x`)).not.toBe(`${name}x`);
});

test('names are shortened and decoration is left out, each with a note; what fits is unchanged', () => {
  const notes: string[] = [];
  const fits = {
    title: 't',
    body: 'b',
    category: 'c',
    icon: '/icon.png',
    callToAction: { title: 'Open', url: '/d/1' },
  };
  expect(fitIncoming({ payload: fits, source: 'gatus' }, (note) => notes.push(note)).payload).toEqual(fits);
  expect(notes).toEqual([]);
  const { payload } = fitIncoming(
    {
      payload: {
        ...fits,
        correlationId: LONG,
        icon: `/${'i'.repeat(LIMITS.iconAddressBytes.value)}`,
        callToAction: { title: LONG, url: '/d/1' },
      },
      source: 'gatus',
    },
    (note) => notes.push(note)
  );
  expect(payload.correlationId).toBe(shortName(LONG));
  expect(payload.icon).toBeUndefined();
  expect(bytes(payload.callToAction?.title)).toBeLessThanOrEqual(LIMITS.linkTitleBytes.value);
  expect(notes).toEqual([
    `"correlationId" is longer than ${LIMITS.nameBytes.value} bytes; shortened`,
    `"icon" is longer than ${LIMITS.iconAddressBytes.value} bytes; left out`,
  ]);
});

test('of other members the largest are left out, also inside of one', () => {
  const notes: string[] = [];
  const big = 'x'.repeat(LIMITS.extraBytes.value);
  const extra = {
    receiver: 'ops',
    alert: { ruleUID: 'u1', labels: { alertname: 'Disk', dump: big }, annotations: big },
  };
  const fitted = fitExtra(extra, (note) => notes.push(note));
  expect(fitted).toEqual({ receiver: 'ops', alert: { ruleUID: 'u1', labels: { alertname: 'Disk' } } });
  expect(notes).toHaveLength(1);
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`member${index}`, index]));
  expect(bytes(fitExtra(many, () => undefined))).toBeLessThanOrEqual(LIMITS.extraBytes.value);
});
