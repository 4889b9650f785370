/**
 * Whether conditions hold for a target that does not respond. Gatus evaluates conditions then, too; the endpoint is healthy if they
 * hold. What the placeholders become was read from its config/endpoint (5.x).
 */
import type { Condition } from '../../../contract/condition.ts';

/** Values without a response. A path into the body is invalid, which compares as 0. */
const VALUES: Readonly<Record<string, string>> = {
  '[STATUS]': '0',
  '[RESPONSE_TIME]': '0',
  '[CONNECTED]': 'false',
  '[CERTIFICATE_EXPIRATION]': '0',
  '[IP]': '',
  '[DNS_RCODE]': '',
  '[BODY]': '',
};
/** Does not depend on the response: it is never known to hold. */
const UNKNOWN = /^\[(DOMAIN_EXPIRATION|CONTEXT)\]/i;

/** @param conditions of one endpoint, at least one */
export const holdUnreachable = (conditions: readonly Condition[]): boolean =>
  conditions.length > 0 && conditions.every(holds);

function holds({ left, operator, right, number }: Condition): boolean {
  if (operator === undefined || UNKNOWN.test(left) || UNKNOWN.test(right) || `${left} ${right}`.includes('[*]')) {
    return false;
  }
  if (operator === '==' || operator === '!=') {
    return isEqual(valueOf(left), valueOf(right)) === (operator === '==');
  }
  const [a, b] = [numberOf(valueOf(left)), number ? inMilliseconds(number) : numberOf(valueOf(right))];
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
  }
}

function valueOf(side: string): string {
  const whole = side.toUpperCase();
  if (Object.hasOwn(VALUES, whole)) {
    return VALUES[whole]!;
  }
  const [, call] = /^(len|has)\(\[BODY\].*\)$/i.exec(side) ?? [];
  if (call !== undefined) {
    return call.toLowerCase() === 'has' ? 'false' : '0';
  }
  return whole.startsWith('[BODY]') ? `${side} (INVALID)` : side;
}

function isEqual(a: string, b: string): boolean {
  const [, kind, options] = /^(any|pat)\((.*)\)$/.exec(b) ?? [];
  if (kind === 'any') {
    return (options ?? '').split(',').some((option) => option.trim() === a);
  }
  if (kind === 'pat') {
    const pattern = (options ?? '')
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replace(/\*/g, '.*')
      .replace(/\?/g, '.');
    return new RegExp(`^${pattern}$`, 's').test(a);
  }
  return /^-?\d+$/.test(a) && /^-?\d+$/.test(b) ? Number(a) === Number(b) : a === b;
}

/** Text that is no number counts as 0. */
function numberOf(value: string): number {
  const number = value === '' ? 0 : Math.trunc(Number(value));
  return Number.isNaN(number) ? 0 : number;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1e3, m: 6e4, h: 3.6e6 };
const inMilliseconds = ({ value, unit }: NonNullable<Condition['number']>): number =>
  unit === undefined ? Math.trunc(value) : value * (UNITS[unit] ?? 0);
