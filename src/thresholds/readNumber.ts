/** Validates the number typed into a threshold field. */
import { decimalSign } from '../i18n/locale';
import { t } from '../i18n/t';
import { amount, figure } from './messages';

interface Range {
  min: number;
  max: number;
  unit?: string | undefined;
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Reads a number with the decimal separator of the language in use and an optional unit. The other separator is rejected
 * because it is ambiguous: it may separate thousands or decimals.
 * @returns the number, or the error message
 */
export function readNumber(typed: string, { min, max, unit }: Range): number | string {
  const text = typed.trim().replace('−', '-');
  const bare = unit && text.endsWith(unit) ? text.slice(0, -unit.length).trimEnd() : text;
  if (bare === '') {
    return t('thresholds.number.needed', 'Enter a number.');
  }
  const [sign, other] = decimalSign() === ',' ? [',', '.'] : ['.', ','];
  if (bare.includes(other)) {
    return separatorMessage(sign);
  }
  const pointed = bare.replace(sign, '.');
  if (!NUMBER.test(pointed)) {
    return t('thresholds.number.none', 'Not a number.');
  }
  const value = Number(pointed);
  return value >= min && value <= max
    ? value
    : t('thresholds.number.range', 'Must be between {{min}} and {{max}}.', {
        min: figure(min),
        max: amount(max, unit),
      });
}

const separatorMessage = (sign: string): string =>
  sign === ','
    ? t('thresholds.number.comma', 'Use a comma for decimals and no thousands separator.')
    : t('thresholds.number.point', 'Use a point for decimals and no thousands separator.');
