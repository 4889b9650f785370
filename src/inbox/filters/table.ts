/**
 * The filters of the list, one row each, except search and time range. View, URL, requests, the check of arrivals and inputs are made from
 * it. Pure.
 */
import {
  foldCategory,
  NO_NODE,
  type Notification,
  PRIORITIES,
  type Priority,
  type Status,
  STATUSES,
  type Thread,
} from '@nodebell/contract/notification.ts';
import type { Facets } from '@nodebell/contract/query.ts';
import type { BridgeFilter } from '../../api/query';
import { categoryName, notificationCount, priorityLabel, shortName } from '../../components/messages';
import { t } from '../../i18n/t';
import { fitsLabels } from '../../components/matchers';

export const NO_FILTERS = {
  categories: [] as string[],
  packages: [] as string[],
  /** `-`: without one. */
  nodes: [] as string[],
  priorities: [] as Priority[],
  statuses: [] as Status[],
  read: undefined as 'read' | 'unread' | undefined,
  acknowledged: undefined as boolean | undefined,
  assignee: undefined as 'me' | 'none' | undefined,
  snoozed: false,
  /** Matchers of labels, as typed. */
  matchers: '',
};
export type FilterValues = typeof NO_FILTERS;

/** An input of its own. */
export interface Input {
  label: () => string;
  placeholder: () => string;
  name: (value: string) => string;
  /** Values to choose from, with a description. Undefined hides the input while none is selected. */
  present: (facets: Facets | undefined) => Array<readonly [value: string, description?: string]> | undefined;
  /** Number of values that the bridge does not list, which can be typed. */
  more?: (facets: Facets | undefined) => number | undefined;
}

/** Options of the input States. */
interface Options {
  group: () => string;
  labels: () => Record<string, string>;
}

interface Filter<In = Input | Options> {
  /** Parameter of the URL and of the API. */
  param: keyof BridgeFilter;
  /** Values of the parameter. */
  get: (view: FilterValues) => string[];
  /** Ignores unknown values. */
  set: (values: string[]) => Partial<FilterValues>;
  /** Value in requests. */
  query: (view: FilterValues) => string[] | string | undefined;
  /** Whether an arrival matches. */
  fits: (notification: Notification, view: FilterValues) => boolean;
  input: In;
}

const unique = (words: string[]) => [...new Set(words.filter((word) => word !== ''))];

/** Values of which a notification has one. `clean` drops unknown values. */
function list<In extends Input | Options>(
  key: 'categories' | 'packages' | 'nodes' | 'priorities' | 'statuses',
  param: Filter['param'],
  {
    of,
    clean = unique,
    ...input
  }: In & {
    of: (notification: Notification) => string;
    clean?: (values: string[]) => string[];
  }
): Filter<Omit<In, 'of' | 'clean'>> {
  const get = (view: FilterValues): string[] => view[key];
  return {
    ...{ param, get, input },
    set: (values) => ({ [key]: clean(values) }),
    query: (view) => (get(view).length > 0 ? get(view) : undefined),
    fits: (notification, view) => get(view).length === 0 || get(view).includes(of(notification)),
  };
}

/** One value. With its opposite it matches everything. */
function choice<K extends 'read' | 'acknowledged' | 'assignee' | 'snoozed'>(
  key: K,
  values: Record<string, FilterValues[K]>,
  { fits, ...input }: Options & { fits?: (thread: Thread, value: FilterValues[K]) => boolean }
): Filter<Options> {
  const get = (view: FilterValues) => Object.keys(values).filter((word) => values[word] === view[key]);
  return {
    ...{ param: key, get, input },
    set: ([word = '', opposite]) => ({
      [key]: opposite === undefined && Object.hasOwn(values, word) ? values[word] : NO_FILTERS[key],
    }),
    query: (view) => get(view)[0],
    fits: ({ thread }, view) => get(view).length === 0 || !fits || fits(thread, view[key]),
  };
}

const nodeName = (node: string) => (node === NO_NODE ? t('inbox.filter.this-node', 'This host') : node);
const response = () => t('inbox.filter.response', 'Response');

/** With inputs of their own. */
export const LISTS: Array<Filter<Input>> = [
  list('categories', 'category', {
    of: ({ category }) => category,
    clean: (values) => unique(values.map(foldCategory)),
    label: () => t('inbox.filter.categories', 'Categories'),
    placeholder: () => t('inbox.filter.all-categories', 'All categories'),
    name: categoryName,
    present: (facets) =>
      (facets?.categories ?? [])
        .map(({ category, count }) => [category, notificationCount(count)] as const)
        .sort(([a], [b]) => categoryName(a).localeCompare(categoryName(b))),
    more: (facets) => facets?.moreCategories,
  }),
  list('packages', 'dnpName', {
    of: ({ dnpName }) => dnpName,
    label: () => t('inbox.filter.packages', 'Packages'),
    placeholder: () => t('inbox.filter.all-packages', 'All packages'),
    name: shortName,
    present: (facets) => (facets?.packages ?? []).map(({ dnpName, count }) => [dnpName, notificationCount(count)]),
    more: (facets) => facets?.morePackages,
  }),
  list('nodes', 'node', {
    of: ({ node }) => node ?? NO_NODE,
    label: () => t('inbox.filter.nodes', 'Nodes'),
    placeholder: () => t('inbox.filter.all-nodes', 'All nodes'),
    name: nodeName,
    present: (facets) =>
      facets?.nodes?.map(({ node, open: count }) => [
        node,
        t('inbox.filter.open-threads', '', {
          count,
          defaultValue_one: '{{count, number}} open',
          defaultValue_other: '{{count, number}} open',
        }),
      ]),
  }),
  list('priorities', 'priority', {
    of: ({ priority }) => priority,
    clean: (values) => PRIORITIES.filter((each) => values.includes(each)),
    label: () => t('inbox.filter.priorities', 'Priorities'),
    placeholder: () => t('inbox.filter.all-priorities', 'All priorities'),
    name: (value) => priorityLabel(value as Priority),
    present: () => PRIORITIES.toReversed().map((value) => [value]),
  }),
];

/** In the input States. */
export const STATES: Array<Filter<Options>> = [
  list('statuses', 'status', {
    of: ({ status }) => status,
    clean: (values) => STATUSES.filter((each) => values.includes(each)),
    group: () => t('inbox.filter.status', 'Status'),
    labels: () => ({
      triggered: t('inbox.state.triggered', 'Triggered'),
      resolved: t('inbox.state.resolved', 'Resolved'),
    }),
  }),
  choice(
    'read',
    { unread: 'unread', read: 'read' },
    {
      group: () => t('inbox.filter.read-state', 'Read state'),
      labels: () => ({ unread: t('inbox.filter.unread', 'Unread'), read: t('inbox.filter.read', 'Read') }),
    }
  ),
  choice(
    'acknowledged',
    { true: true, false: false },
    {
      fits: ({ acknowledged }, wanted) => (acknowledged !== undefined) === wanted,
      group: response,
      labels: () => ({
        true: t('inbox.filter.acknowledged', 'Acknowledged'),
        false: t('inbox.filter.unacknowledged', 'Not acknowledged'),
      }),
    }
  ),
  choice(
    'assignee',
    { me: 'me', none: 'none' },
    {
      // To whom it is assigned, the bridge knows.
      fits: ({ assignee }, wanted) => wanted === 'none' && assignee === undefined,
      group: response,
      labels: () => ({
        me: t('inbox.filter.mine', 'Assigned to me'),
        none: t('inbox.filter.nobody', 'Unassigned'),
      }),
    }
  ),
  choice(
    'snoozed',
    { true: true },
    { group: response, labels: () => ({ true: t('inbox.filter.snoozed', 'Snoozed') }) }
  ),
];

/** With a field of its own: MatchersField. */
const MATCHERS: Filter<undefined> = {
  param: 'matchers',
  get: ({ matchers }) => (matchers === '' ? [] : [matchers]),
  set: ([matchers = '']) => ({ matchers }),
  query: ({ matchers }) => matchers || undefined,
  fits: ({ labels = {} }, { matchers }) => fitsLabels(labels, matchers),
  input: undefined,
};

export const FILTERS: Array<Filter<Input | Options | undefined>> = [...LISTS, ...STATES, MATCHERS];
