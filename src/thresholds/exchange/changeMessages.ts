/** Messages of the change log. */
import type { SettingChange } from '@nodebell/contract/settings.ts';
import { t } from '../../i18n/t';
import { categoryName } from '../../components/messages';
import { figure } from '../messages';

/** The changed object: "dms-cpu of dms.dnp.dappnode.eth". */
export function subjectOf({ category, dnpName = '', correlationId }: SettingChange): string {
  if (category !== undefined) {
    return t('thresholds.changes.category', 'Category {{name}}', { name: categoryName(category) });
  }
  return correlationId === undefined
    ? dnpName
    : t('thresholds.changes.endpoint', '{{id}} of {{name}}', { id: correlationId, name: dnpName });
}

/** "Threshold: 80 → 60". `null` is the package's default. */
export function changeMessage({ member, from, to }: SettingChange): string {
  const values = { from: valueLabel(from), to: valueLabel(to) };
  return member === 'threshold'
    ? t('thresholds.changes.threshold', 'Threshold: {{from}} → {{to}}', values)
    : t('thresholds.changes.switch', 'Notifications: {{from}} → {{to}}', values);
}

function valueLabel(value: SettingChange['to']): string {
  if (value === null) {
    return t('thresholds.changes.as-shipped', 'default');
  }
  if (typeof value === 'number') {
    return figure(value);
  }
  return value ? t('thresholds.changes.on', 'on') : t('thresholds.changes.off', 'off');
}

/** Author of a change: a user or a provisioning file, if known. */
export function authorLabel({ by, file }: SettingChange): string {
  return file ?? by ?? t('thresholds.changes.somebody', 'unknown user');
}
