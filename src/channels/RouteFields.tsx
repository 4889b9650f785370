import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Combobox, Field, MultiCombobox, useStyles2 } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import type { Route } from '@nodebell/contract/channel.ts';
import { PRIORITIES, STATUSES } from '@nodebell/contract/notification.ts';
import { getFacets } from '../api/notifications';
import { categoryName, priorityLabel, shortName } from '../components/messages';
import { t } from '../i18n/t';

interface Props {
  /** Distinguishes the fields of several routes. */
  id: string;
  route: Route;
  onChange: (route: Route) => void;
}

const names = (options: ReadonlyArray<{ value: string }>): string[] | undefined =>
  options.length === 0 ? undefined : options.map(({ value }) => value);
const without = (route: Route, member: keyof Route, value: unknown): Route => {
  const { [member]: _old, ...others } = route;
  return { ...others, ...(value !== undefined && { [member]: value }) } as Route;
};

/** Names that exist, suggested in fields. */
export function useNames() {
  const facets = useQuery({
    queryKey: ['channel-names'],
    queryFn: ({ signal }) => getFacets({}, signal),
    staleTime: 60_000,
  });
  return {
    categories: facets.data?.categories.map(({ category }) => category) ?? [],
    packages: facets.data?.packages.map(({ dnpName }) => dnpName) ?? [],
  };
}

/** Which notifications a route takes. */
export function RouteFields({ id, route, onChange }: Props) {
  const styles = useStyles2(getStyles);
  const known = useNames();
  const { priority = 'low', categories = [], packages = [], statuses = [] } = route;
  const all = t('channels.route.all', 'All');
  const options = (list: readonly string[], chosen: readonly string[], label: (name: string) => string) =>
    [...new Set([...list, ...chosen])].map((value) => ({ value, label: label(value) }));
  return (
    <div className={styles.fields}>
      <Field label={t('channels.route.priority', 'Priority, at least')} noMargin>
        <Combobox
          id={`${id}-priority`}
          options={PRIORITIES.map((value) => ({ value, label: value === 'low' ? all : priorityLabel(value) }))}
          value={priority}
          onChange={({ value }) => onChange(without(route, 'priority', value === 'low' ? undefined : value))}
        />
      </Field>
      <Field label={t('channels.route.categories', 'Categories')} noMargin>
        <MultiCombobox
          id={`${id}-categories`}
          placeholder={all}
          createCustomValue
          options={options(known.categories, categories, categoryName)}
          value={categories}
          onChange={(chosen) => onChange(without(route, 'categories', names(chosen)))}
        />
      </Field>
      <Field label={t('channels.route.packages', 'Packages')} noMargin>
        <MultiCombobox
          id={`${id}-packages`}
          placeholder={all}
          createCustomValue
          options={options(known.packages, packages, shortName)}
          value={packages}
          onChange={(chosen) => onChange(without(route, 'packages', names(chosen)))}
        />
      </Field>
      <Field label={t('channels.route.statuses', 'Status')} noMargin>
        <MultiCombobox
          id={`${id}-statuses`}
          placeholder={all}
          options={STATUSES.map((value) => ({ value, label: statusLabel(value) }))}
          value={statuses}
          onChange={(chosen) => onChange(without(route, 'statuses', names(chosen)))}
        />
      </Field>
    </div>
  );
}

export const statusLabel = (status: 'triggered' | 'resolved'): string =>
  status === 'triggered' ? t('channels.route.triggered', 'Triggered') : t('channels.route.resolved', 'Resolved');

const getStyles = (theme: GrafanaTheme2) => ({
  fields: css({
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(220px, 100%), 1fr))',
    gap: theme.spacing(2),
  }),
});
