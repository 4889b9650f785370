/** What somebody has set, in words. Pure. */
import type { SettingChange } from '@nodebell/contract/settings.ts';
import { t } from '../../i18n/t';
import { categoryName } from '../../components/messages';
import { figure } from '../words';

/** What it was the value of: "dms-cpu of dms.dnp.dappnode.eth". */
export function subjectOf({ category, dnpName = '', correlationId }: SettingChange): string {
  if (category !== undefined) {
    return t('thresholds.changes.category', 'Category {{name}}', { name: categoryName(category) });
  }
  return correlationId === undefined
    ? dnpName
    : t('thresholds.changes.endpoint', '{{id}} of {{name}}', { id: correlationId, name: dnpName });
}

/** "Threshold: 80 → 60". What was not set is what the package ships. */
export function changeWords({ member, from, to }: SettingChange): string {
  const values = { from: valueWord(from), to: valueWord(to) };
  return member === 'threshold'
    ? t('thresholds.changes.threshold', 'Threshold: {{from}} → {{to}}', values)
    : t('thresholds.changes.switch', 'Notifications: {{from}} → {{to}}', values);
}

function valueWord(value: SettingChange['to']): string {
  if (value === null) {
    return t('thresholds.changes.as-shipped', 'as shipped');
  }
  if (typeof value === 'number') {
    return figure(value);
  }
  return value ? t('thresholds.changes.on', 'on') : t('thresholds.changes.off', 'off');
}

/** Who it was: a person, a file, or nobody knows. */
export function whoWords({ by, file }: SettingChange): string {
  return file ?? by ?? t('thresholds.changes.somebody', 'somebody');
}
