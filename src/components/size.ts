import { locale } from '../i18n/locale';

const KILO = 1000;
const UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** "1.2 MB". */
export function sizeText(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log(bytes || 1) / Math.log(KILO)) - 1));
  return new Intl.NumberFormat(locale(), { style: 'unit', unit: UNITS[step]!, maximumFractionDigits: 1 }).format(
    bytes / KILO ** (step + 1)
  );
}
