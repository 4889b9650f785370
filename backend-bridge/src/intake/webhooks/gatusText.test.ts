import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GATUS_BODY, gatusBody } from '../../../contract/gatusWebhook.ts';
import { fromGatus } from './fromGatus.ts';
import { fillAsGatus, type GatusFacts } from './gatusFill.testing.ts';
import { longestChain, type Opener, readGatusText, scanGatusBody } from './gatusText.ts';

/** Text with what breaks JSON, and with pieces of our own template. */
const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      '"',
      '\\',
      '\n',
      '\r',
      '\t',
      '\\n',
      '\\"',
      '{',
      '}',
      ',',
      ':',
      ' ',
      '""',
      '"}',
      '"}}',
      '['
    ),
  },
  { weight: 4, arbitrary: fc.string({ maxLength: 6 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('","errors":"', '","url":"', '","status":"', '"gatus":{', '\\u0041', '[ENDPOINT_NAME]'),
  }
);
const nasty = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''));
const facts: fc.Arbitrary<GatusFacts> = fc.record({
  description: nasty,
  name: nasty,
  group: nasty,
  url: nasty,
  errors: nasty,
  conditions: nasty,
  status: fc.constantFrom('TRIGGERED', 'RESOLVED'),
});

/** Replacement by Gatus: placeholders in values that were inserted earlier are replaced too. */
const FREE_OF_PLACEHOLDERS = (all: GatusFacts) =>
  !Object.values<string>({ ...all }).some((value) => value.includes('[ENDPOINT_NAME]'));

/** The values as they should come out. */
function originals(all: GatusFacts): Record<string, string> {
  return {
    title: all.name,
    body: all.description,
    category: all.group,
    dnpName: 'gatus',
    correlationId: `${all.group}_${all.name}`,
    priority: 'high',
    status: all.status,
    isBanner: 'false',
    'gatus.layout': 'nodebell-gatus-1',
    'gatus.endpoint': all.name,
    'gatus.group': all.group,
    'gatus.url': all.url,
    'gatus.errors': all.errors,
    'gatus.conditions': all.conditions,
  };
}

describe('values of the recommended body', () => {
  it('are the originals, whatever they hold; or it is said that they may not be', () => {
    let exact = 0;
    let doubtful = 0;
    fc.assert(
      fc.property(facts.filter(FREE_OF_PLACEHOLDERS), (all) => {
        const scanned = scanGatusBody(fillAsGatus(GATUS_BODY, all))!;
        if (scanned.exact) {
          exact += 1;
          expect(Object.fromEntries(scanned.members)).toEqual(originals(all));
        } else {
          doubtful += 1;
          expect(scanned.lost.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 2000 }
    );
    // Both branches were seen, and doubt is the exception.
    expect(exact).toBeGreaterThan(doubtful);
    expect(doubtful).toBeGreaterThan(0);
  });

  it('are so in the object that is made of them, be the text JSON or not', () => {
    let json = 0;
    fc.assert(
      fc.property(facts.filter(FREE_OF_PLACEHOLDERS), (all) => {
        const { value, broken, lost } = readGatusText(fillAsGatus(GATUS_BODY, all));
        json += broken === undefined ? 1 : 0;
        if (lost.length === 0) {
          const { name: endpoint, group, url, errors, conditions } = all;
          expect(value).toMatchObject({ title: endpoint, gatus: { endpoint, group, url, errors, conditions } });
        }
      }),
      { numRuns: 2000 }
    );
    expect(json).toBeGreaterThan(0);
  });

  it('that make other JSON of the text are reported, not used', () => {
    const text = fillAsGatus(GATUS_BODY, { url: 'http://x/","errors":"forged' });
    expect(() => JSON.parse(text) as unknown).not.toThrow();
    expect(readGatusText(text).lost).toHaveLength(1);
  });

  it('are in no doubt while they hold no name of a member', () => {
    const tame = nasty.filter((text) => !/"\s*(?:\}\s*)?,\s*"/.test(text));
    fc.assert(
      fc.property(facts, tame, tame, tame, (all, url, errors, conditions) => {
        const calm = { ...all, description: 'd', name: 'n', group: 'g', url, errors, conditions };
        fc.pre(FREE_OF_PLACEHOLDERS(calm));
        const scanned = scanGatusBody(
          fillAsGatus(gatusBody({ title: 'A "title"', callToAction: { title: '\\', url: '/x' } }), calm)
        )!;
        expect(scanned.lost).toEqual([]);
        expect(Object.fromEntries(scanned.members)).toEqual({
          ...originals(calm),
          title: 'A "title"',
          'callToAction.url': '/x',
          'callToAction.title': '\\',
        });
      }),
      { numRuns: 1000 }
    );
  });

  it('never throw, nor does any other text', () => {
    fc.assert(fc.property(facts, (all) => void fromGatus(fillAsGatus(GATUS_BODY, all))));
    fc.assert(fc.property(nasty, (text) => void fromGatus(text)));
    fc.assert(
      fc.property(facts, fc.nat(), (all, length) => {
        const text = fillAsGatus(GATUS_BODY, all);
        fromGatus(text.slice(0, length % text.length));
      })
    );
  });

  it('are read as they stand even when the text happens to be JSON', () => {
    const text = fillAsGatus(GATUS_BODY, { conditions: '❌ - `[BODY] == pat(C:\\new)`', url: 'http://x/\\u0041' });
    expect(() => JSON.parse(text) as unknown).not.toThrow();
    expect(readGatusText(text).value).toMatchObject({
      gatus: { conditions: '❌ - `[BODY] == pat(C:\\new)`', url: 'http://x/\\u0041' },
    });
  });

  it('of an edited template, as long as it is JSON, miss nothing', () => {
    const { title, body, status, gatus } = JSON.parse(GATUS_BODY) as Record<string, unknown>;
    expect(readGatusText(fillAsGatus(JSON.stringify({ title, body, status, gatus })))).toMatchObject({
      lost: [],
      notes: [],
    });
  });

  it('of a body that was made by a JSON library are what the library meant', () => {
    const value = { title: 'a "b" \\n', gatus: { endpoint: 'x\n' } };
    expect(readGatusText(JSON.stringify(value)).value).toEqual(value);
  });
});

describe('reading by names', () => {
  it('allows white space between the members', () => {
    const spaced = fillAsGatus(JSON.stringify(JSON.parse(GATUS_BODY), null, 2), { conditions: '"up"' });
    expect(scanGatusBody(spaced)).toMatchObject({ exact: true, lost: [] });
    expect(scanGatusBody(spaced)!.members.get('gatus.conditions')).toBe('"up"');
  });

  it('takes what begins inside a false name', () => {
    const scanned = scanGatusBody(fillAsGatus(GATUS_BODY, { group: 'x","body":' }));
    expect(scanned?.members.get('gatus.url')).toBe('http://geth.dappnode:8545');
  });

  it('of another template says when a name occurs twice', () => {
    const scanned = scanGatusBody('{"title":"a","body":"x","body":"y"","status":"UP"}');
    expect(Object.fromEntries(scanned!.members)).toEqual({ title: 'a', body: 'x","body":"y"', status: 'UP' });
    expect(scanned!.lost.join()).toContain('wrong place');
  });

  it('gives up on a body that is all names', () => {
    expect(scanGatusBody(`{"title":"${'","body":"'.repeat(600)}"}`)).toBeUndefined();
    expect(scanGatusBody('no member at all')).toBeUndefined();
  });

  it('of another template decodes what is JSON and shows the rest as it came', () => {
    const scanned = scanGatusBody('{"title":"a\\tb","body":"c:\\x","priority":"high","status":"UP"');
    expect(Object.fromEntries(scanned!.members)).toEqual({
      title: 'a\tb',
      body: 'c:\\x',
      priority: 'high',
      status: 'UP"',
    });
    expect(scanned!.lost.join()).toContain('body is no JSON text');
    expect(scanned!.lost.join()).toContain('the end of the body is missing');
  });
});

/** One name after another, each of ten characters. */
const at = (...ranks: number[]): Opener[] =>
  ranks.map((rank, index) => ({ rank, start: 10 * index, end: 10 * index + 5 }));
const ranksOf = (openers: Opener[]) => longestChain(openers).chain.map(({ rank }) => rank);

describe('the longest row of names', () => {
  it('is all of them when they are in order', () => {
    expect(longestChain(at(0, 1, 2))).toEqual({ chain: at(0, 1, 2), ways: 1 });
  });

  it('leaves out what is out of order', () => {
    expect(ranksOf(at(0, 3, 1, 2))).toEqual([0, 1, 2]);
    expect(longestChain(at(0, 3, 1, 2)).ways).toBe(1);
  });

  it('holds a name once: the first of several, of which it cannot be certain', () => {
    const { chain, ways } = longestChain(at(0, 1, 1, 2));
    expect([chain[1]?.start, ways]).toEqual([10, 2]);
    expect(longestChain(at(0, 1, 1)).ways).toBe(2);
  });

  it('holds no two that overlap', () => {
    const overlapping: Opener[] = [
      { rank: 0, start: 0, end: 10 },
      { rank: 1, start: 9, end: 15 },
      { rank: 2, start: 15, end: 20 },
    ];
    expect(longestChain(overlapping)).toEqual({ chain: [overlapping[0], overlapping[2]], ways: 2 });
  });

  it('of nothing is nothing', () => {
    expect(longestChain([])).toEqual({ chain: [], ways: 0 });
  });
});
