/**
 * Conditions of Gatus: `LEFT OP RIGHT`, which states health; the alert is sent while it is false. The only grammar of them. Gatus' own
 * parsing: its config/endpoint/condition.go (5.x).
 */

/** In the order in which Gatus looks for them. */
export const OPERATORS = ['==', '!=', '<=', '>=', '>', '<'] as const;
export type Operator = (typeof OPERATORS)[number];

/** A part of the text: from `start` up to, not including, `end`, in UTF-16 code units. */
export interface Span {
  start: number;
  end: number;
}

/** The threshold in a condition, and where it is in the text. */
export interface ConditionNumber {
  /** Finite. A hexadecimal number is given by its value. */
  value: number;
  /** As written, with its sign, without its unit. */
  text: string;
  /** As written after the number: `ms`, `h`, `%`. */
  unit?: string;
  /** Written as `0x…`; it is written back so. */
  hex: boolean;
  span: Span;
}

/** Either `number` or `readOnly` is there, never both. */
export interface Condition {
  text: string;
  /** Without the spaces around it; the whole text when there is no operator. */
  left: string;
  operator?: Operator;
  right: string;
  spans: { left: Span; operator?: Span; right: Span };
  /** The threshold. */
  number?: ConditionNumber;
  /** Why there is no threshold that could be moved: a sentence. */
  readOnly?: string;
  /** Where Gatus makes something else of it than a reader would: sentences. */
  cautions: string[];
}

/** Reads a condition. Never throws. */
export function readCondition(text: string): Condition {
  const found = findOperators(text);
  const [only] = found;
  if (only === undefined || found.length > 1 || !isOperator(only.operator) || !only.spaced) {
    const whole = trimmed(text, 0, text.length);
    const spans = { left: whole, right: { start: text.length, end: text.length } };
    const reason = only === undefined ? noOperator(text) : found.length > 1 ? severalOperators(found) : unusable(only);
    return { text, left: cut(text, whole), right: '', spans, readOnly: reason, cautions: [] };
  }
  const spans = {
    left: trimmed(text, 0, only.start),
    operator: { start: only.start, end: only.end },
    right: trimmed(text, only.end, text.length),
  };
  const parts = { text, left: cut(text, spans.left), operator: only.operator, right: cut(text, spans.right), spans };
  const read =
    parts.left === ''
      ? 'No threshold: the condition has no value before the operator.'
      : readNumber(parts.right, spans.right.start);
  return typeof read === 'string'
    ? { ...parts, readOnly: read, cautions: [] }
    : { ...parts, number: read, cautions: numberCautions(only.operator, parts.right, read) };
}

/**
 * Puts another number in the place of the threshold; every other byte stays. A hexadecimal number stays one, unless the new one
 * has a fraction, which it cannot hold. The value that is there already changes nothing, and neither does any value in a condition
 * that is read-only.
 * @throws RangeError when the value is not finite
 */
export function withValue(text: string, value: number): string {
  if (!Number.isFinite(value)) {
    throw new RangeError(`A threshold must be a finite number; found ${value}.`);
  }
  const { number } = readCondition(text);
  if (number === undefined || number.value === value) {
    return text;
  }
  return text.slice(0, number.span.start) + writeNumber(value, number) + text.slice(number.span.end);
}

/**
 * The step of a slider: a power of ten that is fine enough for the span and for the decimals of the three numbers, so that a slider
 * that starts at `min` meets both `max` and `value`. Of a value with many decimals it meets what lies nearest: a key that is pressed
 * must be seen to move something.
 */
export function step(min: number, max: number, value: number): number {
  const span = Math.abs(max - min);
  const ofEnds = Math.max(decimalsOf(min), decimalsOf(max));
  if (!Number.isFinite(span) || span === 0) {
    return power(-Math.max(ofEnds, decimalsOf(value)));
  }
  const fine = Math.floor(Math.log10(span / 20));
  const decimals = Math.max(ofEnds, Math.min(decimalsOf(value), Math.max(0, FINEST - fine)));
  if (decimals > 0 || fine < 0) {
    // Ten whole numbers are enough to choose from, and half a peer is none.
    return decimals === 0 && span >= 10 ? 1 : power(Math.min(fine, -decimals));
  }
  let exponent = fine;
  while (exponent > 0 && (span % power(exponent) !== 0 || (value - min) % power(exponent) !== 0)) {
    exponent -= 1;
  }
  return power(exponent);
}

/**
 * When the alert is sent, in words: `<= 80` is "alerts above 80 %".
 * @param unit of the metric; without one, the unit in the condition
 * @returns undefined for a condition that is read-only
 */
export function alertSentence({ operator, number }: Condition, unit = number?.unit): string | undefined {
  if (operator === undefined || number === undefined) {
    return undefined;
  }
  const amount = withUnit(number.value, unit);
  return {
    '<=': `alerts above ${amount}`,
    '<': `alerts at ${amount} or more`,
    '>=': `alerts below ${amount}`,
    '>': `alerts at ${amount} or less`,
    '==': `alerts at anything but ${amount}`,
    '!=': `alerts at ${amount}`,
  }[operator];
}

/** A value makes the step smaller by at most so many powers of ten: some ten thousand positions. */
const FINEST = 2;

/** A number without an exponent: Go reads none in a duration, and people read none easily. */
export function plain(value: number): string {
  const [mantissa = '', exponent] = String(Object.is(value, -0) ? 0 : value).split('e');
  if (exponent === undefined) {
    return mantissa;
  }
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  return point <= 0 ? `${sign}0.${'0'.repeat(-point)}${digits}` : sign + digits.padEnd(point, '0');
}

/** A number as people read it, with its unit. */
export const withUnit = (value: number, unit: string | undefined): string =>
  unit === undefined || unit === '' ? plain(value) : `${plain(value)} ${unit}`;

interface FoundOperator extends Span {
  /** As it stands; not every one is an {@link Operator}. */
  operator: string;
  spaced: boolean;
}

const isOperator = (text: string): text is Operator => OPERATORS.some((one) => one === text);

/** Operators with a space on each side, as Gatus requires; without any of them the others, for the message. */
function findOperators(text: string): FoundOperator[] {
  // All characters of operators that are next to each other: in `=> 80`, reading `>` alone would change the meaning.
  const all = [...text.matchAll(/[=!<>]{2,}|[<>]/g)].map((match): FoundOperator => {
    const { index } = match;
    const end = index + match[0].length;
    return {
      start: index,
      end,
      operator: match[0],
      spaced: text[index - 1] === ' ' && text[end] === ' ',
    };
  });
  const spaced = all.filter((one) => one.spaced);
  return spaced.length > 0 ? spaced : all;
}

function noOperator(text: string): string {
  return text.trim() === ''
    ? 'No threshold: the condition is empty.'
    : `No threshold: the condition has no operator. Operators: ${OPERATORS.join(' ')}.`;
}

/** Gatus does not start with either (its config/endpoint/condition.go). */
function unusable({ operator }: FoundOperator): string {
  if (isOperator(operator)) {
    return `No threshold: Gatus requires a space on each side of \`${operator}\`.`;
  }
  return `No threshold: \`${brief(operator)}\` is not an operator. Operators: ${OPERATORS.join(' ')}.`;
}

function severalOperators(found: readonly FoundOperator[]): string {
  const list = brief(found.map(({ operator }) => operator).join(' and '));
  return `No threshold: the condition has several operators (${list}).`;
}

const NUMBER = /^([+-]?)(?:0[xX]([0-9a-fA-F]+)|((?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?))/;
const UNIT = /^\s?(%|°?\p{L}{1,12}(?:\/\p{L}{1,12})?)$/u;
/** The units of Go's time.ParseDuration, in milliseconds. */
const GO_UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1e3,
  m: 6e4,
  h: 3.6e6,
};

/** @returns the number, or why there is none */
function readNumber(right: string, start: number): ConditionNumber | string {
  const match = NUMBER.exec(right);
  if (!match) {
    return noNumber(right);
  }
  const [text, sign = '', hex, decimal = ''] = match;
  const rest = right.slice(text.length);
  const unit = UNIT.exec(rest)?.[1];
  if (hex === undefined ? looksLikeOtherBase(decimal, rest) : rest !== '') {
    return `No threshold: the notation of \`${brief(right)}\` is not supported. Use a decimal or 0x… number.`;
  }
  if (rest !== '' && unit === undefined) {
    return `No threshold: \`${brief(right)}\` is not a number with a unit.`;
  }
  const size = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (size > Number.MAX_SAFE_INTEGER) {
    return `No threshold: \`${brief(text)}\` is too large.`;
  }
  const value = sign === '-' && size !== 0 ? -size : size;
  const span = { start, end: start + text.length };
  return { value, text, ...(unit !== undefined && { unit }), hex: hex !== undefined, span };
}

/** Go parses 010 as octal, and supports 0b11 and 0o17. */
function looksLikeOtherBase(decimal: string, rest: string): boolean {
  return /^0[\d_xXbBoO]/.test(decimal + rest) && !/^0\d+\./.test(decimal);
}

function noNumber(right: string): string {
  if (right === '') {
    return 'No threshold: the condition has no value after the operator.';
  }
  const call = /^(any|pat|len|has|age)\(/.exec(right)?.[1];
  if (call !== undefined) {
    return `No threshold: the condition compares with \`${call}(…)\`.`;
  }
  return right.startsWith('[')
    ? 'No threshold: the condition compares two values.'
    : `No threshold: the condition compares with \`${brief(right)}\`.`;
}

function numberCautions(operator: Operator, right: string, { hex, text, unit, value }: ConditionNumber): string[] {
  const equality = operator === '==' || operator === '!=';
  const exact = unit === undefined ? Number.isInteger(value) && /^[+-]?(0[xX][\da-fA-F]+|\d+)$/.test(text) : false;
  if (hex || exact) {
    return [];
  }
  if (equality) {
    return [`Gatus compares \`${brief(right)}\` as a string: ${operator} supports integers only.`];
  }
  if (unit !== undefined && (GO_UNITS[unit] === undefined || right !== text + unit || /[eE]/.test(text))) {
    return [
      `Gatus cannot parse \`${brief(right)}\` and compares with 0. Supported units are ns, us, ms, s, m and h, directly after the number.`,
    ];
  }
  const compared = value * (unit === undefined ? 1 : (GO_UNITS[unit] ?? 1));
  const cutOff = Math.trunc(Number(compared.toPrecision(15)));
  return Math.abs(compared - cutOff) < 1e-9
    ? []
    : [`Gatus truncates decimals and compares with ${plain(cutOff)}${unit === undefined ? '' : ' ms'}.`];
}

function writeNumber(value: number, { hex, text }: ConditionNumber): string {
  if (!hex || !Number.isSafeInteger(value)) {
    return plain(value);
  }
  const [, sign = '', prefix = '', digits = ''] = /^([+-]?)(0[xX])(.*)$/.exec(text) ?? [];
  const written = Math.abs(value)
    .toString(16)
    .padStart(digits.startsWith('0') ? digits.length : 0, '0');
  const newSign = value < 0 ? '-' : sign === '+' ? '+' : '';
  return newSign + prefix + (/[A-F]/.test(digits) ? written.toUpperCase() : written);
}

function trimmed(text: string, start: number, end: number): Span {
  const part = text.slice(start, end);
  const from = start + part.length - part.trimStart().length;
  return { start: from, end: Math.max(from, start + part.trimEnd().length) };
}

/** Shortened for a one-line message. */
const brief = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);
const cut = (text: string, { start, end }: Span): string => text.slice(start, end);
const power = (exponent: number): number => Number(`1e${exponent}`);
const decimalsOf = (value: number): number => (Number.isFinite(value) ? (plain(value).split('.')[1]?.length ?? 0) : 0);
