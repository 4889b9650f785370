import { Box, Combobox } from '@grafana/ui';
import { useId } from 'react';
import type { PackageSummary } from '@nodebell/contract/package.ts';
import { t } from '../../i18n/t';
import { Hidden } from '../../components/Hidden';
import { packageCount } from '../../components/messages';
import { optionsOf, type PackageFilter } from '../filter';
import { SearchBar } from '../../components/SearchBar';

interface Props {
  packages: PackageSummary[];
  shown: number;
  filter: PackageFilter;
  onChange: (change: Partial<PackageFilter>) => void;
}

/** Search, category and type filters, with a live result count. */
export const PackageFilters = ({ packages, shown, filter, onChange }: Props) => (
  <SearchBar
    label={t('packages.filter.label', 'Filter packages')}
    placeholder={t('packages.filter.search', 'Search by name, description, or keyword')}
    value={filter.q}
    onChange={(q) => onChange({ q })}
    count={countLabel(shown, packages.length)}
  >
    <Choice
      label={t('packages.filter.category', 'Category')}
      placeholder={t('packages.filter.all-categories', 'All categories')}
      options={optionsOf(packages, (one) => one.categories)}
      value={filter.category}
      onChange={(category) => onChange({ category })}
    />
    <Choice
      label={t('packages.filter.type', 'Type')}
      placeholder={t('packages.filter.all-types', 'All types')}
      options={optionsOf(packages, (one) => [one.type])}
      value={filter.type}
      onChange={(type) => onChange({ type })}
    />
  </SearchBar>
);

interface ChoiceProps {
  label: string;
  placeholder: string;
  options: ReturnType<typeof optionsOf>;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function Choice({ label, placeholder, options, value, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <Box flex="1 1 140px" minWidth="140px" maxWidth={{ xs: '100%', md: '200px' }}>
      <Hidden>
        <span id={id}>{label}</span>
      </Hidden>
      <Combobox
        aria-labelledby={id}
        placeholder={placeholder}
        isClearable
        options={options.map((one) => ({ value: one.value, label: one.value, description: packageCount(one.count) }))}
        value={value ?? null}
        onChange={(option: { value: string } | null) => onChange(option?.value)}
      />
    </Box>
  );
}

const countLabel = (shown: number, count: number): string =>
  shown === count
    ? packageCount(count)
    : t('packages.filter.found', '', {
        count,
        shown,
        defaultValue_one: '{{shown, number}} of {{count, number}} package',
        defaultValue_other: '{{shown, number}} of {{count, number}} packages',
      });
