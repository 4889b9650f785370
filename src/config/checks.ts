/** The checks of a connection test. */
import { t } from '../i18n/t';
import { isIpAddress } from './address';
import type { Evidence } from './evidence';

/** In connection order. */
const CHECKS = ['name', 'port', 'token', 'versions', 'clocks'] as const;
type CheckName = (typeof CHECKS)[number];

const CHECK_LABELS: Record<CheckName, () => string> = {
  name: () => t('config.check.name', 'Name resolves'),
  port: () => t('config.check.port', 'Port is open'),
  token: () => t('config.check.token', 'Token accepted'),
  versions: () => t('config.check.versions', 'Versions match'),
  clocks: () => t('config.check.clocks', 'Clocks in sync'),
};

export type CheckState = 'ok' | 'failed' | 'warned' | 'unknown' | 'not-reached';

export interface Check {
  name: CheckName;
  label: string;
  state: CheckState;
  detail: string;
}

/** Checks before the deciding one passed, those after it were skipped. */
export function checksUpTo(
  { host }: Evidence,
  deciding: number,
  state: CheckState,
  detail: string,
  ip?: string
): Check[] {
  const yes = t('config.check.yes', 'yes');
  const passed = [resolved(host, ip), yes, yes, yes];
  return CHECKS.map((name, index) => {
    const check = { name, label: CHECK_LABELS[name]() };
    if (index < deciding) {
      return { ...check, state: 'ok', detail: passed[index] ?? '' };
    }
    return index === deciding
      ? { ...check, state, detail }
      : { ...check, state: 'not-reached', detail: skippedLabel() };
  });
}

function resolved(host: string, ip: string | undefined): string {
  if (isIpAddress(host)) {
    return t('config.check.is-address', '{{host}} is an IP address', { host });
  }
  return ip === undefined
    ? t('config.check.yes', 'yes')
    : t('config.check.host-is', '{{host}} resolves to {{ip}}', { host, ip });
}

export const skippedLabel = (): string => t('config.check.skipped', 'skipped');
export const unknownLabel = (): string => t('config.check.unknown', 'unknown');
