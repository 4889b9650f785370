/** Routes as sentences. Pure. */
import type { Route } from '@nodebell/contract/channel.ts';
import { PRIORITIES } from '@nodebell/contract/notification.ts';
import { priorityLabel, shortName } from '../components/messages';
import { locale } from '../i18n/locale';
import { t } from '../i18n/t';

/** Names in a sentence; of the others, the number. */
const NAMED = 3;

type Words = Omit<Route, 'channels' | 'continue'>;

/**
 * "Critical and important of hardware, day and night".
 * @param isQuiet whether it leads to a channel with quiet hours
 */
export function routeInWords(route: Words, isQuiet = false): string {
  const { categories, packages, statuses, nodes } = route;
  const parts = [
    priorities(route),
    ...(categories ? [t('channels.words.of', 'of {{list}}', { list: list(categories) })] : []),
    ...(packages ? [t('channels.words.from', 'from {{list}}', { list: list(packages.map(shortName)) })] : []),
    ...(nodes ? [t('channels.words.on', 'on {{list}}', { list: list(nodes.map(nodeLabel)) })] : []),
    ...(statuses?.length === 1
      ? [
          statuses[0] === 'triggered'
            ? t('channels.words.firing', 'when they fire')
            : t('channels.words.resolved', 'when they resolve'),
        ]
      : []),
  ];
  return t('channels.words.sentence', '{{what}}, {{when}}', {
    what: parts.join(' '),
    when: whenInWords(route, isQuiet),
  });
}

function whenInWords({ digest, unacknowledged }: Words, isQuiet: boolean): string {
  if (digest !== undefined) {
    return t('channels.words.digest', 'as a digest: {{digest}}', { digest });
  }
  const hours = isQuiet
    ? t('channels.words.quiet', 'except in quiet hours')
    : t('channels.words.always', 'day and night');
  return unacknowledged === undefined
    ? hours
    : t('channels.words.unacknowledged', 'if nobody acknowledges within {{time}}, {{hours}}', {
        time: unacknowledged,
        hours,
      });
}

const nodeLabel = (node: string): string => (node === '-' ? t('channels.words.this-node', 'this node') : node);

function priorities({ priority = 'low' }: Words): string {
  const named = PRIORITIES.slice(PRIORITIES.indexOf(priority)).toReversed();
  if (named.length === PRIORITIES.length) {
    return t('channels.words.all', 'All notifications');
  }
  const [first = '', ...others] = named.map(priorityLabel);
  return conjunction([first, ...others.map((one) => one.toLocaleLowerCase(locale()))]);
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
