import { Combobox, type ComboboxOption } from '@grafana/ui';
import { useId } from 'react';
import { LIMITS } from '@nodebell/contract/limits.ts';
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

/** Exceeds the maximum length of a name. */
const MORE = ' '.repeat(2 * LIMITS.nameBytes.value);

/** The first option is the one that Enter chooses: the category only if it matches what is typed. */
async function optionsFor(typed: string): Promise<ComboboxOption[]> {
  const { texts, more } = await listLabels({ prefix: typed });
  const category = optionOf('');
  return [
    ...(category.label!.toLocaleLowerCase().includes(typed.toLocaleLowerCase()) ? [category] : []),
    ...texts.map(optionOf),
    ...(more ? [{ value: MORE, label: t('inbox.group.more', 'More labels; type the name'), infoOption: true }] : []),
  ];
}

/** Selects how the list is grouped. The bridge completes label names. */
export function GroupByField({ value, onChange }: Props) {
  const id = useId();
  return (
    <>
      <Hidden>
        <span id={id}>{t('inbox.group.label', 'Group by')}</span>
      </Hidden>
      <Combobox
        aria-labelledby={id}
        prefixIcon="layer-group"
        options={optionsFor}
        value={optionOf(value)}
        onChange={(option) => onChange(option.value)}
      />
    </>
  );
}
