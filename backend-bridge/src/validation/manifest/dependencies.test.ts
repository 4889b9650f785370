/** Optional dependencies are not in the specification, so nothing about them is an error. */
import { describe, expect, test } from 'vitest';
import { briefly, GOOD, validated } from './manifest.testing.ts';

const AT = '/optionalDependencies';
const found = (optionalDependencies: unknown, dialect: 'dappnode' | 'spec' = 'dappnode'): string[] =>
  briefly(validated({ optionalDependencies }, { dialect })).filter(
    (one) => !one.endsWith(` ${AT}`) || /optional-/.test(one)
  );
const CID = 'QmWkAVYJhpwqApRfK4SZ6e2Xt2Daamc8uBpM1oMLmQ6fw4';

describe.each(['dappnode', 'spec'] as const)('optional dependencies in the dialect %s', (dialect) => {
  test.each([['1.2.3'], ['>=1.0.13'], ['1.x']])('%s is valid', (range) => {
    expect(found({ 'a.dnp.dappnode.eth': range }, dialect)).toEqual([]);
  });

  test.each([
    [{ 'a.eth': 'newest' }, `warning optional-range ${AT}/a.eth`],
    [{ 'a.eth': '' }, `warning optional-range ${AT}/a.eth`],
    [{ 'a.eth': `/ipfs/${CID.slice(0, -1)}` }, `warning optional-range ${AT}/a.eth`],
    [{ 'a.eth': CID }, `warning optional-range ${AT}/a.eth`],
    [{ Bitcoin: '1.0.0' }, `warning optional-name ${AT}/Bitcoin`],
    [{ [`${'a.'.repeat(130)}eth`]: '1.0.0' }, `warning optional-name ${AT}/${'a.'.repeat(130)}eth`],
    [{ 'a.eth': 'latest' }, `note dependency-latest ${AT}/a.eth`],
    [{ [GOOD.name]: '1.0.0' }, `warning depends-on-itself ${AT}/${GOOD.name}`],
  ])('%j', (optional, finding) => expect(found(optional, dialect)).toEqual([finding]));
});

describe('DAppNode rejects another type', () => {
  test.each([[['a.eth']], ['a.eth'], [null]])('%j', (optional) =>
    expect(briefly(validated({ optionalDependencies: optional }))).toEqual([`error type ${AT}`])
  );
  test.each([[[]], [{}]])('of a range: %j', (range) =>
    expect(briefly(validated({ optionalDependencies: { 'a.eth': range } }))).toEqual([`error type ${AT}/a.eth`])
  );
});

test('the finding states the value and what is expected', () => {
  const of = (optional: unknown) =>
    validated({ optionalDependencies: optional }).findings.find(({ rule }) => rule.startsWith('optional-'));
  expect(of({ 'a.eth': 'new' })?.detail).toMatch(/^Found “new”\. Expected a version \(1\.2\.3\)/);
  expect(of({ bitcoin: '1.0.0' })).toMatchObject({
    detail: expect.stringContaining('end in .eth') as unknown,
    column: 5,
  });
});
