import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Combobox, FilterInput, Stack, useStyles2 } from '@grafana/ui';
import type { PackageSummary } from '@nodebell/contract/package.ts';
import { t } from '../../i18n/t';
import { Hidden } from '../../components/Hidden';
import { packageCount } from '../../components/messages';
import { optionsOf, type PackageFilter } from '../filter';

interface Props {
  packages: PackageSummary[];
  shown: number;
  filter: PackageFilter;
  onChange: (change: Partial<PackageFilter>) => void;
}

/** Search, category and type filters, with a live result count. */
export function PackageFilters({ packages, shown, filter, onChange }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <Stack wrap alignItems="center" role="search" aria-label={t('packages.filter.label', 'Filter packages')}>
      <div className={styles.search}>
        <FilterInput
          placeholder={t('packages.filter.search', 'Search by name, description, or keyword')}
          aria-label={t('packages.filter.search', 'Search by name, description, or keyword')}
          escapeRegex={false}
          value={filter.q}
          onChange={(q) => onChange({ q })}
        />
      </div>
      <div className={styles.choice}>
        <Hidden>
          <span id="packages-category">{t('packages.filter.category', 'Category')}</span>
        </Hidden>
        <Combobox
          aria-labelledby="packages-category"
          placeholder={t('packages.filter.all-categories', 'All categories')}
          isClearable
          options={toOptions(optionsOf(packages, (one) => one.categories))}
          value={filter.category ?? null}
          onChange={(option: { value: string } | null) => onChange({ category: option?.value })}
        />
      </div>
      <div className={styles.choice}>
        <Hidden>
          <span id="packages-type">{t('packages.filter.type', 'Type')}</span>
        </Hidden>
        <Combobox
          aria-labelledby="packages-type"
          placeholder={t('packages.filter.all-types', 'All types')}
          isClearable
          options={toOptions(optionsOf(packages, (one) => [one.type]))}
          value={filter.type ?? null}
          onChange={(option: { value: string } | null) => onChange({ type: option?.value })}
        />
      </div>
      <span className={styles.count} role="status">
        {countLabel(shown, packages.length)}
      </span>
    </Stack>
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

const toOptions = (found: ReturnType<typeof optionsOf>) =>
  found.map(({ value, count }) => ({ value, label: value, description: packageCount(count) }));

const getStyles = (theme: GrafanaTheme2) => ({
  search: css({ flex: '1 1 240px', maxWidth: 320, minWidth: 0, '@media (max-width: 600px)': { maxWidth: 'none' } }),
  choice: css({ flex: '0 1 200px', minWidth: 140, '@media (max-width: 600px)': { flex: '1 1 140px' } }),
  count: css({ marginLeft: 'auto', color: theme.colors.text.secondary, fontVariantNumeric: 'tabular-nums' }),
});
