/** The words and signs of the thresholds pages. Pure: the present is passed in. */
import type { IconName } from '@grafana/ui';
import { plain } from '@nodebell/contract/condition.ts';
import type {
  Effect,
  Endpoint,
  EndpointPackage,
  EndpointSwitch,
  EndpointThreshold,
} from '@nodebell/contract/endpoint.ts';
import { PRIORITIES, PRIORITY_WORDS, type Priority } from '@nodebell/contract/notification.ts';
import { duration } from '../parts/time';
import { categoryName, plural, type Tone } from '../parts/words';

export interface EndpointSign {
  icon: IconName;
  tone: Tone;
  text: string;
}

/** "82.5 °C". */
export const amount = (value: number, unit?: string): string => (unit ? `${plain(value)} ${unit}` : plain(value));

export const sentence = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

const isPriority = (word: string): word is Priority => (PRIORITIES as readonly string[]).includes(word);

/** "Hardware, Relevant, banner": how its notifications will come. */
export function comesAs({ category, priority, isBanner, kind }: Endpoint): string {
  return [
    category && categoryName(category),
    priority && (isPriority(priority) ? PRIORITY_WORDS[priority] : priority),
    isBanner && 'banner',
    kind === 'custom' && 'checked by the package itself',
    kind === 'chain' && 'checked by the bridge',
  ]
    .filter(Boolean)
    .join(', ');
}

/** What to say of a package at a glance: how many endpoints it has, how many of them notify, and what keeps them from it. */
export function packageWords({ enabled, endpoints }: EndpointPackage): string {
  const count = plural(endpoints.length, 'endpoint');
  if (endpoints.length === 0) {
    return 'No endpoints';
  }
  if (!enabled.value) {
    return `${count}, muted by the switch of the package`;
  }
  const category = mutingCategory(endpoints);
  if (category !== undefined) {
    return `${count}, muted by the category ${categoryName(category)}`;
  }
  const on = endpoints.filter(({ mutedBy }) => mutedBy.length === 0).length;
  if (on === endpoints.length) {
    return endpoints.length === 1 ? `${count}, on` : `${count}, all on`;
  }
  return on === 0 ? `${count}, ${endpoints.length === 1 ? 'off' : 'all off'}` : `${count}, ${on} on`;
}

/** The one category that mutes all of them. */
export function mutingCategory(endpoints: readonly Endpoint[]): string | undefined {
  const [first, ...others] = new Set(endpoints.map((one) => (one.mutedBy.includes('category') ? one.category : '')));
  return others.length === 0 && first ? first : undefined;
}

/** Who decided over a value, where it is not the package: "set by admin", "set in nodebell/settings.yaml". */
export function originWords({ origin, file, setBy }: EndpointSwitch | EndpointThreshold): string | undefined {
  if (origin === 'provisioned') {
    return file === undefined ? 'Read-only: set by provisioning' : `Read-only: set in ${file}`;
  }
  return origin === 'user' ? `Set by ${setBy ?? 'somebody'}` : undefined;
}

/** `package` and `bridge` are no monitors that somebody has set up, so they are not named like one. */
const NAMES: Record<Effect['monitor'], string> = {
  gatus: 'Gatus',
  grafana: 'Grafana rule',
  prometheus: 'Prometheus rule',
  package: 'Package',
  bridge: 'Bridge',
};

const EFFECT_SIGNS: Record<Effect['state'], { icon: IconName; tone: Tone; word: string }> = {
  applied: { icon: 'check-circle', tone: 'success', word: 'applied' },
  pending: { icon: 'hourglass', tone: 'warning', word: 'pending' },
  'read-only': { icon: 'lock', tone: 'secondary', word: 'read-only' },
};

type Told = Pick<Effect, 'monitor' | 'state' | 'reason' | 'nextTryAt'>;

/** What became of the settings in one monitor: "Gatus applied", "Grafana rule pending: no answer; next try in 8 s". */
export function effectSign({ monitor, state, reason, nextTryAt }: Told, now: number): EndpointSign {
  const { word, ...sign } = EFFECT_SIGNS[state];
  const because = reason ? `: ${reason}` : '';
  const next = nextTry(state, nextTryAt, now);
  return { ...sign, text: `${NAMES[monitor]} ${word}${because}${next && (reason ? ' ' : '. ') + next}` };
}

function nextTry(state: Effect['state'], nextTryAt: string | undefined, now: number): string {
  const left = state === 'pending' && nextTryAt !== undefined ? Date.parse(nextTryAt) - now : Number.NaN;
  if (Number.isNaN(left)) {
    return '';
  }
  return left > 0 ? `Next try in ${duration(Math.ceil(left / 1000) * 1000)}.` : 'Trying now.';
}
