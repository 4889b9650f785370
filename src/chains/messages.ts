/** Texts and icons of nodes for the page and the panel. `now` is by the clock of the bridge. */
import type { IconName } from '@grafana/ui';
import type { ChainNode, ChainState } from '@nodebell/contract/chain.ts';
import { formatNumber, isEnglish } from '../i18n/locale';
import { t } from '../i18n/t';
import { days, duration, hours, minutes } from '../components/time';
import type { Tone } from '../components/StateText';
import { toCauseMessage } from './causes';

export interface Sign {
  icon: IconName;
  tone: Tone;
}

const SIGNS: Record<ChainState, Sign> = {
  waiting: { icon: 'clock-nine', tone: 'secondary' },
  synced: { icon: 'check-circle', tone: 'success' },
  syncing: { icon: 'sync', tone: 'info' },
  stalled: { icon: 'pause', tone: 'warning' },
  starting: { icon: 'hourglass', tone: 'info' },
  unreachable: { icon: 'exclamation-circle', tone: 'error' },
  stopped: { icon: 'times-circle', tone: 'warning' },
  error: { icon: 'exclamation-circle', tone: 'error' },
  unsupported: { icon: 'question-circle', tone: 'secondary' },
  unconfigured: { icon: 'question-circle', tone: 'secondary' },
};

export const signOf = ({ state }: Pick<ChainNode, 'state'>): Sign => SIGNS[state];

const STATE_LABELS: Record<ChainState, (time: string) => string> = {
  waiting: () => t('chains.state.waiting', 'Not polled yet'),
  synced: () => t('chains.state.synced', 'Synced'),
  syncing: () => t('chains.state.syncing', 'Syncing'),
  stalled: (time) => t('chains.state.stalled', 'Stalled for {{time}}', { time }),
  starting: () => t('chains.state.starting', 'Starting'),
  unreachable: (time) => t('chains.state.unreachable', 'Unreachable for {{time}}', { time }),
  stopped: (time) => t('chains.state.stopped', 'Stopped for {{time}}', { time }),
  error: (time) => t('chains.state.error', 'No valid response for {{time}}', { time }),
  unsupported: () => t('chains.state.unsupported', 'Not supported'),
  unconfigured: () => t('chains.state.unconfigured', 'No address'),
};

/** "Synced", "Stalled for 42 min". */
export const stateLabel = ({ state, changedAt }: ChainNode, now: number): string =>
  STATE_LABELS[state](duration(now - Date.parse(changedAt)));

/** The cause; undefined where the state label is enough. The bridge's English message has details such as ports, so English uses it. */
export function causeMessage({ state, cause, sentence }: ChainNode): string | undefined {
  const plain = state === 'synced' || (state === 'syncing' && cause === undefined);
  if (plain) {
    return undefined;
  }
  return isEnglish() ? sentence : (toCauseMessage(state, cause) ?? sentence);
}

/** "Checked 8 s ago"; undefined for nodes that are never polled. */
export function checkedMessage({ checkedAt }: ChainNode, now: number): string | undefined {
  return (
    checkedAt && t('chains.figures.checked', 'Checked {{time}} ago', { time: duration(now - Date.parse(checkedAt)) })
  );
}

const VERSION = /v?\d+(?:\.\d+)+[^/\s]*/;

/** Short form of the running version: "v1.17.4-stable" for "Geth/v1.17.4-stable/linux-amd64"; otherwise the package's version. */
export function versionOf({ version, upstreamVersion, packageVersion }: ChainNode): string {
  return (version && (VERSION.exec(version)?.[0] ?? version)) || (upstreamVersion ?? packageVersion);
}

/** Beacon chains count slots. */
export const unitOf = ({ driver }: Pick<ChainNode, 'driver'>): 'block' | 'slot' =>
  driver.startsWith('ethereum-beacon-chain') || driver.startsWith('ethereum2') ? 'slot' : 'block';

/** Whether block and peer counts are from before the node stopped responding. */
export const isStale = ({ state }: Pick<ChainNode, 'state'>): boolean =>
  state === 'unreachable' || state === 'error' || state === 'stopped';

/** Rounded down, so that 100 % means fully synced. */
export function formatPercent(ratio: number): string {
  const floored = Math.floor(ratio * 1000) / 10;
  return `${formatNumber(floored, { minimumFractionDigits: floored < 100 ? 1 : 0 })} %`;
}

/** "7,794,310 / 12,332,770"; only the latest block of a synced node; "Last seen at block …" for a stale one. */
export function heightLabel(node: ChainNode, now: number): string | undefined {
  const { state, current, target, figuresAt } = node;
  if (current === undefined) {
    return undefined;
  }
  if (isStale(node)) {
    return lastSeen(node, current, figuresAt && duration(now - Date.parse(figuresAt)));
  }
  const alone = target === undefined || (state === 'synced' && target <= current);
  return alone ? formatNumber(current) : `${formatNumber(current)} / ${formatNumber(target)}`;
}

function lastSeen(node: ChainNode, current: number, age: string | undefined): string {
  const values = { current, age };
  if (unitOf(node) === 'slot') {
    return age === undefined
      ? t('chains.figures.last-slot', 'Last seen at slot {{current, number}}', values)
      : t('chains.figures.last-slot-ago', 'Last seen at slot {{current, number}}, {{age}} ago', values);
  }
  return age === undefined
    ? t('chains.figures.last-block', 'Last seen at block {{current, number}}', values)
    : t('chains.figures.last-block-ago', 'Last seen at block {{current, number}}, {{age}} ago', values);
}

/** "5,240 blocks/min"; undefined while unknown. */
export function formatRate(node: ChainNode): string | undefined {
  const { rate } = node;
  if (rate === undefined) {
    return undefined;
  }
  const shown = rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate);
  return unitOf(node) === 'slot'
    ? t('chains.figures.slots-rate', '{{shown, number}} slots/min', { shown })
    : t('chains.figures.blocks-rate', '{{shown, number}} blocks/min', { shown });
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "About 14 h", "Unknown"; undefined unless the node is syncing. Estimates are rounded. */
export function timeLeftLabel({ state, secondsLeft }: ChainNode): string | undefined {
  if (state !== 'syncing' && state !== 'stalled') {
    return undefined;
  }
  if (secondsLeft === null) {
    return t('chains.left.unknown', 'Unknown');
  }
  if (secondsLeft < MINUTE) {
    return t('chains.left.soon', 'Less than 1 min');
  }
  if (secondsLeft < 90 * MINUTE) {
    return about(minutes(Math.round(secondsLeft / MINUTE)));
  }
  return about(secondsLeft < 2 * DAY ? hours(Math.round(secondsLeft / HOUR)) : days(Math.round(secondsLeft / DAY)));
}

const about = (time: string): string => t('chains.left.about', 'About {{time}}', { time });

export const fewPeers = ({ peers, limits }: ChainNode): boolean => peers !== undefined && peers < limits.peers;

/** Accessible value of the progress bar. */
export function progressLabel(node: ChainNode): string {
  const { ratio } = node;
  const at = positionLabel(node);
  return ratio === undefined ? at : `${formatPercent(ratio)}, ${at}`;
}

function positionLabel(node: ChainNode): string {
  const { current, target } = node;
  const slots = unitOf(node) === 'slot';
  if (current === undefined) {
    return slots ? t('chains.bar.slot-unknown', 'slot unknown') : t('chains.bar.block-unknown', 'block unknown');
  }
  const values = { current, target };
  if (target === undefined) {
    return slots
      ? t('chains.bar.slot', 'slot {{current, number}}', values)
      : t('chains.bar.block', 'block {{current, number}}', values);
  }
  return slots
    ? t('chains.bar.slot-of', 'slot {{current, number}} of {{target, number}}', values)
    : t('chains.bar.block-of', 'block {{current, number}} of {{target, number}}', values);
}

/** "12 blocks behind". */
export const formatBehind = (node: Pick<ChainNode, 'driver'>, count: number): string =>
  unitOf(node) === 'slot'
    ? t('chains.figures.slots-behind', '', {
        count,
        defaultValue_one: '{{count, number}} slot behind',
        defaultValue_other: '{{count, number}} slots behind',
      })
    : t('chains.figures.blocks-behind', '', {
        count,
        defaultValue_one: '{{count, number}} block behind',
        defaultValue_other: '{{count, number}} blocks behind',
      });

/** "5 peers". */
export const formatPeers = (count: number): string =>
  t('chains.figures.peers', '', {
    count,
    defaultValue_one: '{{count, number}} peer',
    defaultValue_other: '{{count, number}} peers',
  });

/** "Below the minimum of 3". */
export const fewPeersMessage = ({ limits }: Pick<ChainNode, 'limits'>): string =>
  t('chains.figures.few-peers', 'Below the minimum of {{limit, number}}', { limit: limits.peers });

/** "3 nodes", or "2 of 3 nodes" while filtered. */
export function countLabel(shown: number, count: number): string {
  return shown === count
    ? t('chains.list.count', '', {
        count,
        defaultValue_one: '{{count, number}} node',
        defaultValue_other: '{{count, number}} nodes',
      })
    : t('chains.list.count-of', '', {
        count,
        shown,
        defaultValue_one: '{{shown, number}} of {{count, number}} node',
        defaultValue_other: '{{shown, number}} of {{count, number}} nodes',
      });
}

/** Subtitle of the page with the poll interval: "every 15 seconds", "every 15 to 60 seconds". */
export function subtitleMessage(nodes: ReadonlyArray<Pick<ChainNode, 'interval'>>): string {
  // 0 for nodes that are not polled.
  const seconds = nodes.map(({ interval }) => interval).filter((one) => one > 0);
  const [least, most] = [Math.min(...seconds), Math.max(...seconds)];
  if (seconds.length === 0) {
    return t('chains.page.what', 'Sync status of each node.');
  }
  return least === most
    ? t('chains.page.what-every', '', {
        count: least,
        defaultValue_one: 'Sync status of each node, polled every {{count, number}} second.',
        defaultValue_other: 'Sync status of each node, polled every {{count, number}} seconds.',
      })
    : t(
        'chains.page.what-every-range',
        'Sync status of each node, polled every {{least, number}} to {{most, number}} seconds.',
        { least, most }
      );
}

/** Screen reader announcement of state changes. */
export const announcement = (nodes: readonly ChainNode[], now: number): string =>
  nodes.length > 2
    ? t('chains.page.changed', '{{n, number}} nodes changed state', { n: nodes.length })
    : nodes.map((node) => `${node.title}, ${node.name}: ${stateLabel(node, now)}`).join('. ');

/** "Last 24 hours: up to 12 behind.", from the samples of Prometheus. */
export function behindMessage(values: readonly number[]): string {
  if (values.length === 0) {
    return t('chains.history.none', 'No data in the last 24 hours.');
  }
  const most = Math.max(...values);
  return most === 0
    ? t('chains.history.never', 'Last 24 hours: never behind.')
    : t('chains.history.most', 'Last 24 hours: up to {{most, number}} behind.', { most });
}
