import { css } from '@emotion/css';
import { dateTime, isDateTime, rangeUtil, type GrafanaTheme2, type TimeRange } from '@grafana/data';
import { MultiCombobox, TimeRangeInput, useStyles2, type ComboboxOption } from '@grafana/ui';
import type { ReactNode } from 'react';
import { LIMITS } from '@nodebell/contract/limits.ts';
import { NO_NODE, PRIORITIES, STATUSES } from '@nodebell/contract/notification.ts';
import type { Facets } from '@nodebell/contract/query.ts';
import { t } from '../../i18n/t';
import type { SetView } from '../useInbox';
import { readFilter, type View } from '../view';
import { categoryName, notificationCount, priorityLabel, shortName } from '../../components/messages';
import { resolvedLabel, triggeredLabel } from '../messages';

interface Props {
  view: View;
  setView: SetView;
  facets: Facets | undefined;
  narrow: boolean;
}

/** All filters except the search. */
export function FilterFields({ view, setView, facets, narrow }: Props) {
  const styles = useStyles2(getStyles, narrow, false);
  return (
    <>
      <div className={styles.time}>
        <TimeRangeInput
          value={toTimeRange(view.range)}
          onChange={(range) => setView({ range: fromTimeRange(range) })}
          placeholder={t('inbox.filter.any-time', 'Any time')}
          clearable
          showIcon
        />
      </div>
      <Field narrow={narrow} filled={view.categories.length > 0}>
        <MultiCombobox
          aria-label={t('inbox.filter.categories', 'Categories')}
          placeholder={t('inbox.filter.all-categories', 'All categories')}
          options={categoryOptions(view, facets)}
          createCustomValue={facets?.moreCategories !== undefined}
          value={view.categories}
          onChange={(options) => setView({ categories: values(options) })}
        />
      </Field>
      <Field narrow={narrow} filled={view.packages.length > 0}>
        <MultiCombobox
          aria-label={t('inbox.filter.packages', 'Packages')}
          placeholder={t('inbox.filter.all-packages', 'All packages')}
          options={packageOptions(view, facets)}
          createCustomValue={facets?.morePackages !== undefined}
          value={view.packages}
          onChange={(options) => setView({ packages: values(options) })}
        />
      </Field>
      {(facets?.nodes !== undefined || view.nodes.length > 0) && (
        <Field narrow={narrow} filled={view.nodes.length > 0}>
          <MultiCombobox
            aria-label={t('inbox.filter.nodes', 'Nodes')}
            placeholder={t('inbox.filter.all-nodes', 'All nodes')}
            options={nodeOptions(view, facets)}
            value={view.nodes}
            onChange={(options) => setView({ nodes: values(options) })}
          />
        </Field>
      )}
      <Field narrow={narrow} filled={view.priorities.length > 0}>
        <MultiCombobox
          aria-label={t('inbox.filter.priorities', 'Priorities')}
          placeholder={t('inbox.filter.all-priorities', 'All priorities')}
          options={priorityOptions()}
          value={view.priorities}
          onChange={(options) => setView({ priorities: PRIORITIES.filter((each) => values(options).includes(each)) })}
        />
      </Field>
      <Field
        narrow={narrow}
        filled={view.statuses.length > 0 || readFilter(view) !== undefined || responses(view).length > 0}
      >
        <MultiCombobox
          aria-label={t('inbox.filter.states', 'States')}
          placeholder={t('inbox.filter.all-states', 'All states')}
          options={[...statusOptions(), ...(view.tab === 'unread' ? [] : readOptions()), ...responseOptions()]}
          value={[...view.statuses, ...[readFilter(view) ?? []].flat(), ...responses(view)]}
          onChange={(options) => setView(readStates(values(options)))}
        />
      </Field>
    </>
  );
}

function Field({ children, narrow, filled }: { children: ReactNode; narrow: boolean; filled: boolean }) {
  const styles = useStyles2(getStyles, narrow, filled);
  return <div className={styles.field}>{children}</div>;
}

const values = (options: Array<ComboboxOption<string>>): string[] =>
  options.map((option) => option.value).filter((value) => value !== MORE);

const priorityOptions = () =>
  PRIORITIES.toReversed().map((priority) => ({ value: priority, label: priorityLabel(priority) }));

function statusOptions() {
  const group = t('inbox.filter.status', 'Status');
  return [
    { value: 'triggered', label: triggeredLabel(), group },
    { value: 'resolved', label: resolvedLabel(), group },
  ];
}

function readOptions() {
  const group = t('inbox.filter.read-state', 'Read state');
  return [
    { value: 'unread', label: t('inbox.filter.unread', 'Unread'), group },
    { value: 'read', label: t('inbox.filter.read', 'Read'), group },
  ];
}

function responseOptions() {
  const group = t('inbox.filter.response', 'Response');
  return [
    { value: 'acknowledged', label: t('inbox.filter.acknowledged', 'Acknowledged'), group },
    { value: 'unacknowledged', label: t('inbox.filter.unacknowledged', 'Not acknowledged'), group },
    { value: 'mine', label: t('inbox.filter.mine', 'Assigned to me'), group },
    { value: 'nobody', label: t('inbox.filter.nobody', 'Unassigned'), group },
    { value: 'snoozed', label: t('inbox.filter.snoozed', 'Snoozed'), group },
  ];
}

const responses = ({ acknowledged, assignee, snoozed }: View): string[] => [
  ...(acknowledged === undefined ? [] : [acknowledged ? 'acknowledged' : 'unacknowledged']),
  ...(assignee === undefined ? [] : [assignee === 'me' ? 'mine' : 'nobody']),
  ...(snoozed ? ['snoozed'] : []),
];

/** Each with its opposite matches everything. */
function readStates(states: string[]): Partial<View> {
  const read =
    states.includes('read') !== states.includes('unread') ? (states.includes('read') ? 'read' : 'unread') : undefined;
  const one = <T,>(first: string, second: string, values: [T, T]): T | undefined =>
    states.includes(first) === states.includes(second) ? undefined : values[states.includes(first) ? 0 : 1];
  return {
    statuses: STATUSES.filter((status) => states.includes(status)),
    read,
    acknowledged: one('acknowledged', 'unacknowledged', [true, false]),
    assignee: one<'me' | 'none'>('mine', 'nobody', ['me', 'none']),
    snoozed: states.includes('snoozed'),
  };
}

/** Categories that exist, and selected ones that do not. */
function categoryOptions({ categories }: View, facets: Facets | undefined): ComboboxOption[] {
  const present = (facets?.categories ?? [])
    .map(({ category, count }) => ({
      value: category,
      label: categoryName(category),
      description: notificationCount(count),
    }))
    .sort((a, b) => a.label.localeCompare(b.label));
  return [
    ...others(facets?.moreCategories),
    ...present,
    ...absent(categories, present).map((value) => ({ value, label: categoryName(value) })),
  ];
}

function packageOptions({ packages }: View, facets: Facets | undefined): ComboboxOption[] {
  const present = (facets?.packages ?? []).map(({ dnpName, count }) => ({
    value: dnpName,
    label: shortName(dnpName),
    description: notificationCount(count),
  }));
  return [
    ...others(facets?.morePackages),
    ...present,
    ...absent(packages, present).map((value) => ({ value, label: shortName(value) })),
  ];
}

function nodeOptions({ nodes }: View, facets: Facets | undefined): ComboboxOption[] {
  const label = (node: string) => (node === NO_NODE ? t('inbox.filter.this-node', 'This host') : node);
  const present = (facets?.nodes ?? []).map(({ node, open }) => ({
    value: node,
    label: label(node),
    description: t('inbox.filter.open-threads', '{{n, number}} open', { n: open }),
  }));
  return [...present, ...absent(nodes, present).map((value) => ({ value, label: label(value) }))];
}

/** Number of values that the bridge does not list. */
function others(count = 0): ComboboxOption[] {
  const label = t('inbox.filter.more', '{{n, number}} more; type the name', { n: count });
  return count > 0 ? [{ value: MORE, label, infoOption: true }] : [];
}

/** Exceeds the maximum length of a name. */
const MORE = ' '.repeat(2 * LIMITS.nameBytes.value);

const absent = (chosen: string[], present: ComboboxOption[]) =>
  chosen.filter((value) => !present.some((option) => option.value === value));

function toTimeRange(range: View['range']): TimeRange {
  if (!range) {
    const none = dateTime(null);
    return { from: none, to: none, raw: { from: none, to: none } };
  }
  const parse = (text: string) => (text.startsWith('now') ? text : dateTime(text));
  return rangeUtil.convertRawToRange({ from: parse(range.from), to: parse(range.to) });
}

/** A relative range stays relative; a cleared one removes the filter. */
function fromTimeRange({ raw }: TimeRange): View['range'] {
  const write = (moment: TimeRange['raw']['from']) =>
    isDateTime(moment) ? (moment.isValid() ? moment.toISOString() : '') : moment;
  const [from, to] = [write(raw.from), write(raw.to)];
  return from && to ? { from, to } : undefined;
}

const getStyles = (theme: GrafanaTheme2, narrow: boolean, filled: boolean) => ({
  // Aligns the text of the time range input with the other inputs.
  time: css({
    flex: narrow ? '1 0 100%' : '1 1 165px',
    minWidth: 0,
    '& > div, & > div > button': { width: '100%' },
    '& > div > button > :nth-child(2)': {
      flex: 1,
      textAlign: 'left',
      paddingLeft: theme.spacing(1),
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    },
  }),
  // The combobox is a little lower than other inputs while it is empty.
  field: css({
    flex: narrow ? '1 0 100%' : filled ? '2 1 160px' : '1 1 120px',
    minWidth: 0,
    '& > div, & > div > div': { minHeight: theme.spacing(theme.components.height.md) },
  }),
});
