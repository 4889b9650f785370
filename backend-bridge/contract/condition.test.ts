import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alertSentence, OPERATORS, plain, readCondition, step, withValue } from './condition.ts';

describe('what is read', () => {
  test.each([
    // text, operator, value, unit, rewritten to 42
    ['[RESPONSE_TIME] < 500ms', '<', 500, 'ms', '[RESPONSE_TIME] < 42ms'],
    ['[CERTIFICATE_EXPIRATION] > 48h', '>', 48, 'h', '[CERTIFICATE_EXPIRATION] > 42h'],
    ['[BODY].load <= 0.75', '<=', 0.75, undefined, '[BODY].load <= 42'],
    ['[BODY].result >= 0xa', '>=', 10, undefined, '[BODY].result >= 0x2a'],
    ['[BODY].result >= 0X0F', '>=', 15, undefined, '[BODY].result >= 0X2A'],
    ['[BODY].result >= -0xa', '>=', -10, undefined, '[BODY].result >= 0x2a'],
    ['len([BODY].items) > 5', '>', 5, undefined, 'len([BODY].items) > 42'],
    ['[BODY]["a<=b"]["c>d"] >= 10', '>=', 10, undefined, '[BODY]["a<=b"]["c>d"] >= 42'],
    ['[BODY].t >= -5.5', '>=', -5.5, undefined, '[BODY].t >= 42'],
    ['[BODY].t >= +5', '>=', 5, undefined, '[BODY].t >= 42'],
    ['[STATUS] == 200', '==', 200, undefined, '[STATUS] == 42'],
    ['  [BODY].x   !=   7  ', '!=', 7, undefined, '  [BODY].x   !=   42  '],
    ['[BODY].data.result[0].value[1] <= 80', '<=', 80, undefined, '[BODY].data.result[0].value[1] <= 42'],
    ['[BODY].x < 80 %', '<', 80, '%', '[BODY].x < 42 %'],
    ['[BODY].x < 1e3', '<', 1000, undefined, '[BODY].x < 42'],
    ['[BODY].x < .5', '<', 0.5, undefined, '[BODY].x < 42'],
    ['[BODY].x < 00.5', '<', 0.5, undefined, '[BODY].x < 42'],
    ['[BODY].größe < 3°C', '<', 3, '°C', '[BODY].größe < 42°C'],
  ])('%s', (text, operator, value, unit, rewritten) => {
    const read = readCondition(text);
    expect([read.operator, read.number?.value, read.number?.unit, read.readOnly]).toEqual([
      operator,
      value,
      unit,
      undefined,
    ]);
    expect(withValue(text, 42)).toBe(rewritten);
    expect(withValue(text, value)).toBe(text);
  });

  test.each([
    ['[BODY].x == false', 'No threshold: the condition compares with `false`.'],
    ['[STATUS] == any(200, 429)', 'No threshold: the condition compares with `any(…)`.'],
    ['[BODY].name == pat(*.eth)', 'No threshold: the condition compares with `pat(…)`.'],
    ['[BODY].a < [BODY].b', 'No threshold: the condition compares two values.'],
    ['10 <= [BODY].x', 'No threshold: the condition compares two values.'],
    ['([STATUS] == 200 && [BODY].result == true)', 'No threshold: the condition has several operators (== and ==).'],
    ['[BODY].x == "80"', 'No threshold: the condition compares with `"80"`.'],
    ['[BODY].x > 1h30m', 'No threshold: `1h30m` is not a number with a unit.'],
    ['[BODY].x > 10 && true', 'No threshold: `10 && true` is not a number with a unit.'],
    ['[BODY].x > 010', 'No threshold: the notation of `010` is not supported. Use a decimal or 0x… number.'],
    ['[BODY].x > 0xag', 'No threshold: the notation of `0xag` is not supported. Use a decimal or 0x… number.'],
    ['[BODY].x > 0b11', 'No threshold: the notation of `0b11` is not supported. Use a decimal or 0x… number.'],
    ['[BODY].x > 1_000', 'No threshold: `1_000` is not a number with a unit.'],
    ['[BODY].x > 9007199254740993', 'No threshold: `9007199254740993` is too large.'],
    ['[BODY].x > 1e999', 'No threshold: `1e999` is too large.'],
    ['[BODY].x > NaN', 'No threshold: the condition compares with `NaN`.'],
    ['[BODY].x > ', 'No threshold: the condition has no value after the operator.'],
    [' > 5', 'No threshold: the condition has no value before the operator.'],
    ['[BODY].x => 80', 'No threshold: `=>` is not an operator. Operators: == != <= >= > <.'],
    ['[BODY].x=<80', 'No threshold: `=<` is not an operator. Operators: == != <= >= > <.'],
    ['[BODY].x>=10', 'No threshold: Gatus requires a space on each side of `>=`.'],
    ['[BODY].x >80', 'No threshold: Gatus requires a space on each side of `>`.'],
    ['[BODY].x\t<\t80', 'No threshold: Gatus requires a space on each side of `<`.'],
    ['[BODY].x <> 80', 'No threshold: `<>` is not an operator. Operators: == != <= >= > <.'],
    ['[STATUS] === 200', 'No threshold: `===` is not an operator. Operators: == != <= >= > <.'],
    ['[STATUS] = 200', 'No threshold: the condition has no operator. Operators: == != <= >= > <.'],
    [' ', 'No threshold: the condition is empty.'],
    ['', 'No threshold: the condition is empty.'],
  ])('read-only: %s', (text, reason) => {
    const read = readCondition(text);
    expect([read.number, read.readOnly]).toEqual([undefined, reason]);
    expect(withValue(text, 42)).toBe(text);
    expect(alertSentence(read)).toBeUndefined();
  });

  test.each([
    ['[BODY].x >= 10', []],
    ['[RESPONSE_TIME] < 0.5s', []],
    ['[RESPONSE_TIME] < 500ms', []],
    ['[BODY].x >= 0xa', []],
    ['[BODY].x <= 0.75', ['Gatus truncates decimals and compares with 0.']],
    ['[RESPONSE_TIME] < 1.5ms', ['Gatus truncates decimals and compares with 1 ms.']],
    ['[BODY].x == 0.75', ['Gatus compares `0.75` as a string: == supports integers only.']],
    [
      '[BODY].x < 80%',
      [
        'Gatus cannot parse `80%` and compares with 0. Supported units are ns, us, ms, s, m and h, directly after the number.',
      ],
    ],
    [
      '[BODY].x < 80 ms',
      [
        'Gatus cannot parse `80 ms` and compares with 0. Supported units are ns, us, ms, s, m and h, directly after the number.',
      ],
    ],
  ])('what Gatus makes of %s', (text, cautions) => {
    expect(readCondition(text).cautions).toEqual(cautions);
  });

  test('spans cut the parts out of the text', () => {
    const text = ' [BODY].x  <=  80 ';
    const { spans, number } = readCondition(text);
    const parts = [spans.left, spans.operator, spans.right, number?.span].map((span) =>
      text.slice(span?.start, span?.end)
    );
    expect(parts).toEqual(['[BODY].x', '<=', '80', '80']);
  });
});

describe('for any condition', () => {
  const left = fc.constantFrom('[BODY].x', 'len([BODY].items)', '[BODY].data[0]["a<b"]', '[RESPONSE_TIME]');
  const space = fc.constantFrom(' ', '  ', ' \t ');
  const unit = fc.constantFrom('', 'ms', 'h', ' %', '°C');
  const digits = fc.oneof(
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map(plain)
  );
  const decimal = fc.tuple(left, space, fc.constantFrom(...OPERATORS), space, digits, unit);
  const value = fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((one) => Math.abs(one) <= Number.MAX_SAFE_INTEGER);

  test('with any characters of operators, only an operator is read, and it is the same once a number is put in', () => {
    const operator = fc.string({ unit: fc.constantFrom('=', '!', '<', '>'), minLength: 1, maxLength: 4 });
    const spaces = fc.constantFrom('', ' ');
    fc.assert(
      fc.property(operator, spaces, spaces, value, (characters, before, after, wanted) => {
        const text = `[BODY].x${before}${characters}${after}80`;
        const read = readCondition(text);
        const isKnown = before + after === '  ' && OPERATORS.some((one) => one === characters);
        expect([read.operator, read.readOnly === undefined]).toEqual([isKnown ? characters : undefined, isKnown]);
        const written = withValue(text, wanted);
        expect(written === text || isKnown).toBe(true);
        expect(readCondition(written).operator).toBe(read.operator);
      })
    );
  });

  test('every byte outside the number stays, and the number that is put in is read again', () => {
    fc.assert(
      fc.property(decimal, value, ([before, a, operator, b, number, after], wanted) => {
        const written = withValue(`${before} ${a}${operator}${b}${number}${after}`, wanted);
        const [prefix, suffix] = [`${before} ${a}${operator}${b}`, after];
        expect(written.startsWith(prefix) && written.endsWith(suffix)).toBe(true);
        // Minus zero is written as zero.
        expect(readCondition(written).number?.value).toBe(wanted === 0 ? 0 : wanted);
      })
    );
  });

  test('a hexadecimal number stays one where it can', () => {
    fc.assert(
      fc.property(fc.nat(), fc.maxSafeInteger(), fc.boolean(), (shipped, wanted, upper) => {
        const hex = upper ? shipped.toString(16).toUpperCase() : shipped.toString(16);
        const written = withValue(`[BODY].result >= 0x${hex}`, wanted);
        expect(written).toMatch(/^\[BODY\]\.result >= -?0x[\da-fA-F]+$/);
        expect(readCondition(written).number?.value).toBe(wanted === 0 ? 0 : wanted);
      })
    );
    expect(withValue('[BODY].result >= 0x0a', 12)).toBe('[BODY].result >= 0x0c');
    expect(withValue('[BODY].result >= 0xa', 12.5)).toBe('[BODY].result >= 12.5');
  });

  test('any text is read, and what is read-only is never rewritten', () => {
    const pieces = fc.constantFrom(
      ' ',
      '==',
      '<=',
      '> ',
      '0x',
      '1',
      '.',
      'e',
      '-',
      'ms',
      '[BODY]',
      'any(',
      ')',
      '°',
      '_'
    );
    const noise = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 8 }).map((all) => all.join(''))
    );
    fc.assert(
      fc.property(noise, value, (text, wanted) => {
        const read = readCondition(text);
        expect(read.number === undefined).toBe(read.readOnly !== undefined);
        const written = withValue(text, wanted);
        if (read.number === undefined) {
          expect(written).toBe(text);
        } else {
          const { start, end } = read.number.span;
          expect(text.slice(start, end)).toBe(read.number.text);
          expect(written.startsWith(text.slice(0, start)) && written.endsWith(text.slice(end))).toBe(true);
          expect(readCondition(written).number?.value).toBe(wanted === 0 ? 0 : wanted);
        }
      }),
      { numRuns: 3000 }
    );
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('%s is no threshold', (wanted) => {
    expect(() => withValue('[BODY].x > 1', wanted)).toThrow('A threshold must be a finite number');
  });
});

describe('the words beside the slider', () => {
  test.each([
    ['[BODY].x <= 80', '%', 'alerts above 80 %'],
    ['[BODY].x >= 10', 'peers', 'alerts below 10 peers'],
    ['[BODY].x < 500ms', undefined, 'alerts at 500 ms or more'],
    ['[BODY].x > 48h', undefined, 'alerts at 48 h or less'],
    ['[BODY].x == 200', undefined, 'alerts at anything but 200'],
    ['[BODY].x != 0', '', 'alerts at 0'],
    ['[BODY].x >= 0xa', 'peers', 'alerts below 10 peers'],
    ['[BODY].x <= 0.0000001', undefined, 'alerts above 0.0000001'],
  ])('%s in %s', (text, unit, sentence) => {
    expect(alertSentence(readCondition(text), unit)).toBe(sentence);
  });

  test.each([
    [1e21, '1000000000000000000000'],
    [1.5e-7, '0.00000015'],
    [-1e-7, '-0.0000001'],
    [-0, '0'],
    [12.25, '12.25'],
  ])('%d without an exponent', (value, words) => expect(plain(value)).toBe(words));
});

describe('the step of the slider', () => {
  test.each([
    [0, 100, 80, 1],
    [0, 50, 10, 1],
    [25, 100, 85, 1],
    [0, 10, 5, 1],
    [0, 5, 2, 0.1],
    [0, 1, 1, 0.01],
    [0, 1, 0.755, 0.001],
    [0, 100, 0.5, 0.1],
    [0, 1000, 80, 10],
    [0, 1000, 85, 1],
    [0, 100_000, 20_000, 1000],
    [5, 5, 5, 1],
    [-10, 10, 0, 1],
    [0, 100, 82.55, 0.01],
    [0, 100, 33.333333, 0.01],
    [0.1, 0.35, 0.30000000000000004, 0.0001],
    [0, 1e-7, 1e-17, 1e-11],
    [0, 33.333333, 10, 1e-6],
    [0, 100_000, 0.5, 1],
  ])('from %d to %d at %d: %d', (min, max, value, expected) => expect(step(min, max, value)).toBe(expected));

  test('it meets both ends and the value, with at least ten positions', () => {
    const whole = fc.integer({ min: -10_000, max: 10_000 });
    fc.assert(
      fc.property(whole, fc.integer({ min: 1, max: 100_000 }), fc.nat({ max: 100 }), (min, span, part) => {
        const value = min + Math.round((span * part) / 100);
        const one = step(min, min + span, value);
        const off = (distance: number): number => Math.abs(distance / one - Math.round(distance / one));
        expect(off(span)).toBeLessThan(1e-6);
        expect(off(value - min)).toBeLessThan(1e-6);
        expect(span / one).toBeGreaterThanOrEqual(10);
      })
    );
  });
});
