/** Routes as sentences. Pure. */
import type { ChannelStatus, Route } from '@nodebell/contract/channel.ts';
import { DEFAULT_PASSING, type Passing } from '@nodebell/contract/hours.ts';
import { PRIORITIES, type Priority } from '@nodebell/contract/notification.ts';
import { type Place, placeName, placeOf } from '@nodebell/contract/onCall.ts';
import { priorityLabel, shortName } from '../components/messages';
import { days, hours, minutes, seconds } from '../components/time';
import { locale } from '../i18n/locale';
import { t } from '../i18n/t';
import { digestInWords } from './hours';

/** Names in a sentence; of the others, the number. */
const NAMED = 3;

type Words = Omit<Route, 'channels' | 'continue'>;
/** Quiet hours of the route's channel. */
type Quiet = Pick<ChannelStatus, 'quietHours' | 'passing'>;

/**
 * "Critical and important of hardware, day and night".
 * @param channels to which it leads, as far as their quiet hours matter
 */
export function routeInWords(route: Words, ...channels: Quiet[]): string {
  const { categories, packages, statuses, nodes, matchers, persons } = route;
  const parts = [
    prioritiesInWords(route.priority),
    ...(categories ? [t('channels.words.of', 'of {{list}}', { list: list(categories) })] : []),
    ...(packages ? [t('channels.words.from', 'from {{list}}', { list: list(packages.map(shortName)) })] : []),
    ...(nodes ? [t('channels.words.on', 'on {{list}}', { list: list(nodes) })] : []),
    ...(matchers === undefined ? [] : [t('channels.words.labels', 'with {{matchers}}', { matchers })]),
    ...(statuses?.length === 1
      ? [
          statuses[0] === 'triggered'
            ? t('channels.words.firing', 'when they fire')
            : t('channels.words.resolved', 'when they resolve'),
        ]
      : []),
    ...(persons ? [t('channels.words.persons', 'to the devices of {{list}}', { list: list(persons) })] : []),
  ];
  return [
    parts.join(' '),
    whenInWords(route, channels),
    ...stepsInWords(route),
    ...(route.dropResolved ? [t('channels.words.dropped', 'except alerts already resolved')] : []),
  ].join(', ');
}

/** "on call in database" and "ada" for a step of an escalation; channels as they are. */
export function targetInWords(target: string): string {
  const place = placeOf(target);
  return place?.kind === 'schedule'
    ? t('channels.words.on-call', 'whoever is on call in {{schedule}}', { schedule: place.name })
    : (place?.name ?? target);
}

const inPlace = (kind: Place['kind'], name: string): string => targetInWords(placeName({ kind, name }));

function stepsInWords({ onCall, escalation = [], repeatEvery, remindAcknowledged }: Words): string[] {
  const steps = escalation.map(({ after, onCall: schedule, people = [], channels = [] }) => {
    const targets = list([...(schedule === undefined ? [] : [inPlace('schedule', schedule)]), ...people, ...channels]);
    return after === '0m'
      ? t('channels.words.to', 'to {{targets}}', { targets })
      : t('channels.words.step', 'after {{time}} to {{targets}}', { time: spanInWords(after), targets });
  });
  return [
    ...(onCall === undefined
      ? []
      : [t('channels.words.to', 'to {{targets}}', { targets: inPlace('schedule', onCall) })]),
    ...steps,
    ...(repeatEvery === undefined
      ? []
      : [t('channels.words.repeat', 'again every {{time}} until acknowledged', { time: spanInWords(repeatEvery) })]),
    ...(remindAcknowledged === undefined
      ? []
      : [
          t('channels.words.remind', 'again every {{time}} while acknowledged and open', {
            time: spanInWords(remindAcknowledged),
          }),
        ]),
  ];
}

/** Channels of the route. */
export const leadsTo = <C extends { name: string }>(route: Pick<Route, 'channels'>, channels: readonly C[]): C[] =>
  channels.filter(({ name }) => route.channels.includes(name));

function whenInWords({ digest, unacknowledged, priority }: Words, channels: readonly Quiet[]): string {
  if (digest !== undefined) {
    return digestInWords(digest);
  }
  const each = new Set((channels.length === 0 ? [{}] : channels).map((quiet) => quietInWords(priority, quiet)));
  const by =
    each.size === 1
      ? [...each].join()
      : t('channels.words.several', 'day and night, except in the quiet hours of a channel');
  return unacknowledged === undefined
    ? by
    : t('channels.words.unacknowledged', 'if nobody acknowledges within {{time}}, {{hours}}', {
        time: spanInWords(unacknowledged),
        hours: by,
      });
}

function quietInWords(priority: Priority = 'low', { quietHours = [], passing = DEFAULT_PASSING }: Quiet): string {
  if (quietHours.length === 0 || (passing !== 'none' && PRIORITIES.indexOf(passing) <= PRIORITIES.indexOf(priority))) {
    return t('channels.words.always', 'day and night');
  }
  if (passing === 'none') {
    return t('channels.words.quiet', 'except in quiet hours');
  }
  const what = conjunction(from(passing).map(lowercase));
  return quietHours.every(({ from: start, to }) => start > to)
    ? t('channels.words.at-night', 'at night only {{what}}', { what })
    : t('channels.words.in-quiet', 'in quiet hours only {{what}}', { what });
}

/** "10 min" for 10m; as it is if it is none. */
export function spanInWords(span: string): string {
  const [, count, unit] = /^(\d{1,5})([smhd])$/.exec(span) ?? [];
  const label = { s: seconds, m: minutes, h: hours, d: days }[unit ?? ''];
  return label === undefined ? span : label(Number(count));
}

const lowercase = (text: string): string => text.toLocaleLowerCase(locale());

/** Labels of this priority and the higher ones, the highest first. */
const from = (priority: Priority): string[] =>
  PRIORITIES.slice(PRIORITIES.indexOf(priority)).toReversed().map(priorityLabel);

function prioritiesInWords(priority: Priority = 'low'): string {
  return priority === 'low' ? t('channels.words.all', 'All notifications') : atLeastLabel(priority);
}

/** "Critical and important". */
export function atLeastLabel(priority: Exclude<Passing, 'none'>): string {
  const [first = '', ...others] = from(priority);
  return conjunction([first, ...others.map(lowercase)]);
}

function list(names: readonly string[]): string {
  const others = names.length - NAMED;
  // One name takes no more space than its number.
  return others <= 1
    ? conjunction(names)
    : conjunction([
        ...names.slice(0, NAMED),
        t('channels.words.more', '', {
          count: others,
          defaultValue_one: '{{count, number}} more',
          defaultValue_other: '{{count, number}} more',
        }),
      ]);
}

export const conjunction = (names: readonly string[]): string =>
  new Intl.ListFormat(locale(), { type: 'conjunction' }).format(names);
