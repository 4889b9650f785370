import { css } from '@emotion/css';
import { dateTime, isDateTime, rangeUtil, type GrafanaTheme2, type TimeRange } from '@grafana/data';
import { MultiCombobox, TimeRangeInput, useStyles2, type ComboboxOption } from '@grafana/ui';
import type { ReactNode } from 'react';
import { LIMITS } from '@nodebell/contract/limits.ts';
import type { Facets } from '@nodebell/contract/query.ts';
import { t } from '../../i18n/t';
import type { SetView } from '../useInbox';
import type { View } from '../view';
import { MatchersField } from '../../components/MatchersField';
import { GroupByField } from './GroupByField';
import { type Input, LISTS, STATES } from './table';

interface Props {
  view: View;
  setView: SetView;
  facets: Facets | undefined;
  narrow: boolean;
}

/** All filters except the search, and what the list is grouped by. */
export function FilterFields({ view, setView, facets, narrow }: Props) {
  const styles = useStyles2(getStyles, narrow, false);
  const states = STATES.filter(({ param }) => param !== 'read' || view.tab !== 'unread');
  const chosen = states.flatMap(({ param, get }) => get(view).map((value) => stateOf(param, value)));
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
      {LISTS.map(({ param, get, set, input }) => {
        const value = get(view);
        const options = optionsOf(input, value, facets);
        return (
          options && (
            <Field key={param} narrow={narrow} filled={value.length > 0}>
              <MultiCombobox
                aria-label={input.label()}
                placeholder={input.placeholder()}
                options={options}
                createCustomValue={input.more?.(facets) !== undefined}
                value={value}
                onChange={(chosen) => setView(set(valuesOf(chosen)))}
              />
            </Field>
          )
        );
      })}
      <Field narrow={narrow} filled={chosen.length > 0}>
        <MultiCombobox
          aria-label={t('inbox.filter.states', 'States')}
          placeholder={t('inbox.filter.all-states', 'All states')}
          options={states.flatMap(stateOptions)}
          value={chosen}
          onChange={(options) => setView(statesOf(valuesOf(options)))}
        />
      </Field>
      <div className={styles.labels}>
        <MatchersField value={view.matchers} onChange={(matchers) => setView({ matchers })} />
      </div>
      <Field narrow={narrow} filled={false}>
        <GroupByField value={view.groupBy} onChange={(groupBy) => setView({ groupBy })} />
      </Field>
    </>
  );
}

function Field({ children, narrow, filled }: { children: ReactNode; narrow: boolean; filled: boolean }) {
  const styles = useStyles2(getStyles, narrow, filled);
  return <div className={styles.field}>{children}</div>;
}

const valuesOf = (options: Array<ComboboxOption<string>>): string[] =>
  options.map((option) => option.value).filter((value) => value !== MORE);

const stateOf = (param: string, value: string) => `${param} ${value}`;

const stateOptions = ({ param, input }: (typeof STATES)[number]): ComboboxOption[] =>
  Object.entries(input.labels()).map(([value, label]) => ({
    ...{ value: stateOf(param, value), label, group: input.group() },
  }));

const statesOf = (chosen: string[]): Partial<View> =>
  STATES.reduce<Partial<View>>((change, { param, set, input }) => {
    const values = Object.keys(input.labels()).filter((value) => chosen.includes(stateOf(param, value)));
    return { ...change, ...set(values) };
  }, {});

/** Values that exist, and selected ones that do not. Undefined: there are none to choose from. */
function optionsOf({ name, present, more }: Input, chosen: string[], facets: Facets | undefined) {
  const known = present(facets);
  if (!known && chosen.length === 0) {
    return undefined;
  }
  const absent = chosen.filter((value) => !known?.some(([each]) => each === value));
  const options: typeof known = [...(known ?? []), ...absent.map((value) => [value] as const)];
  return [
    ...others(more?.(facets)),
    ...options.map(([value, description]) => ({ value, label: name(value), ...(description && { description }) })),
  ];
}

/** Number of values that the bridge does not list. */
function others(count = 0): ComboboxOption[] {
  const label = t('inbox.filter.more', '{{n, number}} more; type the name', { n: count });
  return count > 0 ? [{ value: MORE, label, infoOption: true }] : [];
}

/** Exceeds the maximum length of a name. */
const MORE = ' '.repeat(2 * LIMITS.nameBytes.value);

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
  labels: css({ flex: narrow ? '1 0 100%' : '2 1 220px', minWidth: 0 }),
  // The combobox is a little lower than other inputs while it is empty.
  field: css({
    flex: narrow ? '1 0 100%' : filled ? '2 1 160px' : '1 1 120px',
    minWidth: 0,
    '& > div, & > div > div': { minHeight: theme.spacing(theme.components.height.md) },
  }),
});
