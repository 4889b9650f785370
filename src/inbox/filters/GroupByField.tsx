import { Combobox, type ComboboxOption } from '@grafana/ui';
import { useCallback, useId } from 'react';
import { listLabels } from '../../api/notifications';
import { Hidden } from '../../components/Hidden';
import { t } from '../../i18n/t';
import type { GroupBy } from '../grouping';

interface Props {
  value: GroupBy;
  onChange: (value: GroupBy) => void;
}

const optionOf = (value: GroupBy): ComboboxOption =>
  value === ''
    ? { value, label: t('inbox.group.by-category', 'By category') }
    : { value, label: t('inbox.group.by', 'By {{label}}', { label: value }) };

/** Selects how the list is grouped. The bridge completes label names. */
export function GroupByField({ value, onChange }: Props) {
  const id = useId();
  const options = useCallback(async (prefix: string) => {
    const { texts } = await listLabels({ prefix });
    return ['', ...texts].map(optionOf);
  }, []);
  return (
    <>
      <Hidden>
        <span id={id}>{t('inbox.group.label', 'Group by')}</span>
      </Hidden>
      <Combobox
        aria-labelledby={id}
        prefixIcon="layer-group"
        options={options}
        value={optionOf(value)}
        onChange={(option) => onChange(option.value)}
      />
    </>
  );
}
