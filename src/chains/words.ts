/** What the page and the panel say of a node. Pure: the present is passed in, by the clock of the bridge. */
import type { IconName } from '@grafana/ui';
import type { ChainNode, ChainState } from '@nodebell/contract/chain.ts';
import { duration } from '../parts/time';
import { plural, type Tone } from '../parts/words';

export interface Sign {
  icon: IconName;
  tone: Tone;
}

interface StateSign extends Sign {
  word: string;
  /** Whether it matters for how long. */
  lasting?: true;
}

const SIGNS: Record<ChainState, StateSign> = {
  waiting: { icon: 'clock-nine', tone: 'secondary', word: 'Not asked yet' },
  synced: { icon: 'check-circle', tone: 'success', word: 'Synced' },
  syncing: { icon: 'sync', tone: 'info', word: 'Syncing' },
  stalled: { icon: 'pause', tone: 'warning', word: 'Stalled', lasting: true },
  starting: { icon: 'hourglass', tone: 'info', word: 'Starting' },
  unreachable: { icon: 'exclamation-circle', tone: 'error', word: 'Unreachable', lasting: true },
  stopped: { icon: 'times-circle', tone: 'warning', word: 'Stopped', lasting: true },
  error: { icon: 'exclamation-circle', tone: 'error', word: 'No usable answer', lasting: true },
  unsupported: { icon: 'question-circle', tone: 'secondary', word: 'Not supported' },
  unconfigured: { icon: 'question-circle', tone: 'secondary', word: 'No address' },
};

export const signOf = ({ state }: Pick<ChainNode, 'state'>): Sign => SIGNS[state];

/** "Synced", "Stalled for 42 min". */
export function stateWords({ state, changedAt }: ChainNode, now: number): string {
  const { word, lasting } = SIGNS[state];
  return lasting ? `${word} for ${duration(now - Date.parse(changedAt))}` : word;
}

/** The cause in words; undefined where the state says it all. */
export function causeWords({ state, cause, sentence }: ChainNode): string | undefined {
  const plain = state === 'synced' || (state === 'syncing' && cause === undefined);
  return plain ? undefined : sentence;
}

/** "Checked 8 s ago"; nothing where nothing is ever asked. */
export function checkedWords({ checkedAt }: ChainNode, now: number): string | undefined {
  return checkedAt && `Checked ${duration(now - Date.parse(checkedAt))} ago`;
}

const VERSION = /v?\d+(?:\.\d+)+[^/\s]*/;

/** The version that runs, as short as it can be: "v1.17.4-stable" of "Geth/v1.17.4-stable/linux-amd64"; else the package's. */
export function versionOf({ version, upstreamVersion, packageVersion }: ChainNode): string {
  return (version && (VERSION.exec(version)?.[0] ?? version)) || (upstreamVersion ?? packageVersion);
}

/** Beacon chains count slots. */
export const unitOf = ({ driver }: Pick<ChainNode, 'driver'>): 'block' | 'slot' =>
  driver.startsWith('ethereum-beacon-chain') || driver.startsWith('ethereum2') ? 'slot' : 'block';

/** Its figures are older than the state: it does not answer any more. */
export const isSilent = ({ state }: Pick<ChainNode, 'state'>): boolean =>
  state === 'unreachable' || state === 'error' || state === 'stopped';

/** Rounded down, so that 100 % means that nothing is lacking. */
export function percentWords(ratio: number): string {
  const floored = Math.floor(ratio * 1000) / 10;
  return `${floored.toLocaleString(undefined, { minimumFractionDigits: floored < 100 ? 1 : 0 })} %`;
}

/** "7,794,310 / 12,332,770"; of a node in sync its newest block alone; of a silent one its last, and how long ago that was. */
export function figureWords(node: ChainNode, now: number): string | undefined {
  const { state, current, target, figuresAt } = node;
  if (current === undefined) {
    return undefined;
  }
  if (isSilent(node)) {
    const age = figuresAt === undefined ? '' : `, ${duration(now - Date.parse(figuresAt))} ago`;
    return `Last seen at ${unitOf(node)} ${current.toLocaleString()}${age}`;
  }
  const alone = target === undefined || (state === 'synced' && target <= current);
  return alone ? current.toLocaleString() : `${current.toLocaleString()} / ${target.toLocaleString()}`;
}

/** "5,240 blocks/min"; undefined when it is not known. */
export function rateWords(node: ChainNode): string | undefined {
  const { rate } = node;
  if (rate === undefined) {
    return undefined;
  }
  const shown = rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate);
  return `${shown.toLocaleString()} ${unitOf(node)}s/min`;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "About 14 h", "Unknown"; undefined where there is nothing to wait for. An estimate is not told to the minute. */
export function leftWords({ state, secondsLeft }: ChainNode): string | undefined {
  if (state !== 'syncing' && state !== 'stalled') {
    return undefined;
  }
  if (secondsLeft === null) {
    return 'Unknown';
  }
  if (secondsLeft < MINUTE) {
    return 'Less than 1 min';
  }
  if (secondsLeft < 90 * MINUTE) {
    return `About ${Math.round(secondsLeft / MINUTE)} min`;
  }
  return secondsLeft < 2 * DAY
    ? `About ${Math.round(secondsLeft / HOUR)} h`
    : `About ${Math.round(secondsLeft / DAY)} d`;
}

export const fewPeers = ({ peers, limits }: ChainNode): boolean => peers !== undefined && peers < limits.peers;

/** What the bar says to those who do not see it. */
export function progressWords(node: ChainNode): string {
  const { ratio, current, target } = node;
  const unit = unitOf(node);
  const share = ratio === undefined ? '' : `${percentWords(ratio)}, `;
  const of = target === undefined ? '' : ` of ${target.toLocaleString()}`;
  return `${share}${unit} ${current?.toLocaleString() ?? 'unknown'}${of}`;
}

/** "every 15 seconds", "every 15 to 60 seconds"; undefined while there is none. */
export function intervalWords(nodes: ReadonlyArray<Pick<ChainNode, 'interval'>>): string | undefined {
  // Of one that is not asked it is 0.
  const seconds = nodes.map(({ interval }) => interval).filter((one) => one > 0);
  const [least, most] = [Math.min(...seconds), Math.max(...seconds)];
  if (seconds.length === 0) {
    return undefined;
  }
  return least === most ? `every ${plural(least, 'second')}` : `every ${least} to ${most} seconds`;
}

/** For those who do not see the list. */
export const announcement = (nodes: readonly ChainNode[], now: number): string =>
  nodes.length > 2
    ? `${nodes.length} nodes have changed their state`
    : nodes.map((node) => `${node.title}, ${node.name}: ${stateWords(node, now)}`).join('. ');

/** "Last 24 hours: up to 12 behind.": of what Prometheus knows. */
export function behindWords(values: readonly number[]): string {
  if (values.length === 0) {
    return 'No figures in the last 24 hours.';
  }
  const most = Math.max(...values);
  return most === 0 ? 'Last 24 hours: never behind.' : `Last 24 hours: up to ${most.toLocaleString()} behind.`;
}
