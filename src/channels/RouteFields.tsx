import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Combobox, Field, MultiCombobox, useStyles2 } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { holdingMembers, type Route, routeSchema } from '@nodebell/contract/channel.ts';
import { type ChannelType, DESCRIPTORS } from '@nodebell/contract/channelTypes/index.ts';
import { NO_NODE, PRIORITIES, STATUSES } from '@nodebell/contract/notification.ts';
import { getFacets } from '../api/notifications';
import { peopleQuery } from '../api/respond';
import { categoryName, priorityLabel, shortName } from '../components/messages';
import { FormField } from '../components/TextField';
import { t } from '../i18n/t';
import { MatchersField } from '../components/MatchersField';
import { statusLabel } from './stateTexts';
import { routeRule } from './texts';
import { WhenFields } from './WhenFields';

interface Props {
  /** Distinguishes the fields of several routes. */
  id: string;
  route: Route;
  /** Types of the route's channels. */
  types: readonly ChannelType[];
  /** Members that are invalid. */
  invalid: readonly string[];
  onChange: (route: Route) => void;
}

/** @param types of the channels to which it leads @returns members that are invalid */
export const invalidMembers = (route: Route, types: readonly ChannelType[]): string[] => [
  ...(routeSchema.safeParse(route).error?.issues ?? []).map(({ path }) => String(path[0])),
  ...(route.persons !== undefined && !types.every((type) => DESCRIPTORS[type].hasDevices) ? ['persons'] : []),
  ...(hasIgnoredHold(route, types) ? ['when'] : []),
];

/** Another bridge decides itself what waits. */
const hasIgnoredHold = (route: Route, types: readonly ChannelType[]): boolean =>
  types.some((type) => DESCRIPTORS[type].isBridge) && holdingMembers(route).length > 0;

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
    nodes: (facets.data?.nodes ?? []).flatMap(({ node }) => (node === NO_NODE ? [] : node)),
  };
}

interface NamesProps {
  id: string;
  label: string;
  description?: string;
  placeholder: string;
  /** Suggested. */
  known: readonly string[];
  /** Undefined: all. */
  value: string[] | undefined;
  nameOf?: (value: string) => string;
  error: string | undefined;
  onChange: (value: string[] | undefined) => void;
}

function NamesField({ id, label, description, placeholder, known, value = [], nameOf, error, onChange }: NamesProps) {
  return (
    <FormField {...{ label, description, error }}>
      <MultiCombobox
        {...{ id, placeholder, value }}
        createCustomValue
        options={[...new Set([...known, ...value])].map((name) => ({ value: name, label: nameOf?.(name) ?? name }))}
        onChange={(chosen) => onChange(names(chosen))}
      />
    </FormField>
  );
}

/** Conditions of a route. */
export function RouteFields(props: Props) {
  const styles = useStyles2(getStyles);
  const { id, route, types, onChange } = props;
  const known = useNames();
  const hasPersons = types.some((type) => DESCRIPTORS[type].hasDevices);
  const people = useQuery({ ...peopleQuery, enabled: hasPersons }).data?.people ?? [];
  const { priority = 'low', statuses = [] } = route;
  const all = t('channels.route.all', 'All');
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
      <NamesField
        label={t('channels.route.categories', 'Categories')}
        {...fieldOf(props, 'categories', known.categories)}
        nameOf={categoryName}
      />
      <NamesField
        label={t('channels.route.packages', 'Packages')}
        {...fieldOf(props, 'packages', known.packages)}
        nameOf={shortName}
      />
      <Field label={t('channels.route.statuses', 'Status')} noMargin>
        <MultiCombobox
          id={`${id}-statuses`}
          placeholder={all}
          options={STATUSES.map((value) => ({ value, label: statusLabel(value) }))}
          value={statuses}
          onChange={(chosen) => onChange(without(route, 'statuses', names(chosen)))}
        />
      </Field>
      {(known.nodes.length > 0 || route.nodes) && (
        <NamesField label={t('channels.route.nodes', 'Nodes')} {...fieldOf(props, 'nodes', known.nodes)} />
      )}
      <LabelsField {...props} />
      {(hasPersons || route.persons) && (
        <NamesField
          label={t('channels.route.persons', 'Persons')}
          description={t('channels.route.persons-text', 'Logins in Grafana: only their devices.')}
          {...fieldOf(
            props,
            'persons',
            people.map(({ name }) => name)
          )}
          placeholder={t('channels.route.everybody', 'Everybody')}
        />
      )}
      {(!types.some((type) => DESCRIPTORS[type].isBridge) || hasIgnoredHold(route, types)) && <WhenFields {...props} />}
    </div>
  );
}

const LabelsField = ({ route, invalid, onChange }: Props) => (
  <Field
    label={t('inbox.filter.labels', 'Labels')}
    invalid={invalid.includes('matchers')}
    error={routeRule('matchers')}
    noMargin
  >
    <MatchersField
      invalid={invalid.includes('matchers')}
      value={route.matchers ?? ''}
      onChange={(value) => onChange(without(route, 'matchers', value === '' ? undefined : value))}
    />
  </Field>
);

const fieldOf = (
  { id, route, invalid, onChange }: Props,
  member: 'categories' | 'packages' | 'nodes' | 'persons',
  known: readonly string[]
): Omit<NamesProps, 'label'> => ({
  id: `${id}-${member}`,
  placeholder: t('channels.route.all', 'All'),
  known,
  value: route[member],
  error: invalid.includes(member) ? routeRule(member) : undefined,
  onChange: (value) => onChange(without(route, member, value)),
});

const getStyles = (theme: GrafanaTheme2) => ({
  fields: css({
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(220px, 100%), 1fr))',
    gap: theme.spacing(2),
  }),
});
