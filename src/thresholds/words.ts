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
import { PRIORITIES, type Priority } from '@nodebell/contract/notification.ts';
import { decimalSign } from '../i18n/locale';
import { t } from '../i18n/t';
import { duration } from '../components/time';
import { categoryName, priorityLabel } from '../components/messages';
import type { Tone } from '../components/StateText';

export interface EndpointSign {
  icon: IconName;
  tone: Tone;
  text: string;
}

/** "82.5": never with an exponent, nor with signs between thousands, so that it can be typed as it stands. */
export const figure = (value: number): string => plain(value).replace('.', decimalSign());

/** "82.5 °C". */
export const amount = (value: number, unit?: string): string => (unit ? `${figure(value)} ${unit}` : figure(value));

const isPriority = (word: string): word is Priority => (PRIORITIES as readonly string[]).includes(word);

/** "Hardware, Relevant, banner": how its notifications will come. */
export function comesAs({ category, priority, isBanner, kind }: Endpoint): string {
  return [
    category && categoryName(category),
    priority && (isPriority(priority) ? priorityLabel(priority) : priority),
    isBanner && t('thresholds.as.banner', 'banner'),
    kind === 'custom' && t('thresholds.as.custom', 'checked by the package itself'),
    kind === 'chain' && t('thresholds.as.chain', 'checked by the bridge'),
  ]
    .filter(Boolean)
    .join(', ');
}

/** What to say of a package at a glance: how many endpoints it has, how many of them notify, and what keeps them from it. */
export function packageWords({ enabled, endpoints }: EndpointPackage): string {
  const count = endpoints.length;
  if (count === 0) {
    return enabled.value
      ? t('thresholds.package.none', 'No endpoints')
      : t('thresholds.package.none-muted', 'No endpoints, muted by the switch of the package');
  }
  if (!enabled.value) {
    return t('thresholds.package.muted', '', {
      count,
      defaultValue_one: '{{count, number}} endpoint, muted by the switch of the package',
      defaultValue_other: '{{count, number}} endpoints, muted by the switch of the package',
    });
  }
  const category = mutingCategory(endpoints);
  if (category !== undefined) {
    return t('thresholds.package.muted-by-category', '', {
      count,
      category: categoryName(category),
      defaultValue_one: '{{count, number}} endpoint, muted by the category {{category}}',
      defaultValue_other: '{{count, number}} endpoints, muted by the category {{category}}',
    });
  }
  return onWords(count, endpoints.filter(({ mutedBy }) => mutedBy.length === 0).length);
}

function onWords(count: number, on: number): string {
  if (on === count) {
    return t('thresholds.package.all-on', '', {
      count,
      defaultValue_one: '{{count, number}} endpoint, on',
      defaultValue_other: '{{count, number}} endpoints, all on',
    });
  }
  return on === 0
    ? t('thresholds.package.all-off', '', {
        count,
        defaultValue_one: '{{count, number}} endpoint, off',
        defaultValue_other: '{{count, number}} endpoints, all off',
      })
    : t('thresholds.package.some-on', '', {
        count,
        on,
        defaultValue_one: '{{count, number}} endpoint, {{on, number}} on',
        defaultValue_other: '{{count, number}} endpoints, {{on, number}} on',
      });
}

/** The one category that mutes all of them. */
export function mutingCategory(endpoints: readonly Endpoint[]): string | undefined {
  const [first, ...others] = new Set(endpoints.map((one) => (one.mutedBy.includes('category') ? one.category : '')));
  return others.length === 0 && first ? first : undefined;
}

/** Who decided over a value, where it is not the package: "set by admin", "set in nodebell/settings.yaml". */
export function originWords({ origin, file, setBy }: EndpointSwitch | EndpointThreshold): string | undefined {
  if (origin === 'provisioned') {
    return file === undefined
      ? t('thresholds.origin.provisioned', 'Read-only: set by provisioning')
      : t('thresholds.origin.file', 'Read-only: set in {{file}}', { file });
  }
  if (origin !== 'user') {
    return undefined;
  }
  return setBy == null
    ? t('thresholds.origin.somebody', 'Set by somebody')
    : t('thresholds.origin.user', 'Set by {{name}}', { name: setBy });
}

/** `package` and `bridge` are no monitors that somebody has set up, so they are not named like one. */
function monitorName(monitor: Effect['monitor']): string {
  switch (monitor) {
    case 'gatus':
      return 'Gatus';
    case 'grafana':
      return t('thresholds.monitor.grafana', 'Grafana rule');
    case 'prometheus':
      return t('thresholds.monitor.prometheus', 'Prometheus rule');
    case 'package':
      return t('thresholds.monitor.package', 'Package');
    case 'bridge':
      return t('thresholds.monitor.bridge', 'Bridge');
  }
}

const EFFECT_SIGNS: Record<Effect['state'], { icon: IconName; tone: Tone }> = {
  applied: { icon: 'check-circle', tone: 'success' },
  pending: { icon: 'hourglass', tone: 'warning' },
  'read-only': { icon: 'lock', tone: 'secondary' },
};

function effectWords(effect: Effect['monitor'], state: Effect['state']): string {
  const monitor = monitorName(effect);
  switch (state) {
    case 'applied':
      return t('thresholds.effect.applied', '{{monitor}} applied', { monitor });
    case 'pending':
      return t('thresholds.effect.pending', '{{monitor}} pending', { monitor });
    case 'read-only':
      return t('thresholds.effect.read-only', '{{monitor}} read-only', { monitor });
  }
}

type Told = Pick<Effect, 'monitor' | 'state' | 'reason' | 'nextTryAt'>;

/** What became of the settings in one monitor: "Gatus applied", "Grafana rule pending: no answer; next try in 8 s". */
export function effectSign({ monitor, state, reason, nextTryAt }: Told, now: number): EndpointSign {
  const because = reason ? `: ${reason}` : '';
  const next = nextTry(state, nextTryAt, now);
  const text = `${effectWords(monitor, state)}${because}${next && (reason ? ' ' : '. ') + next}`;
  return { ...EFFECT_SIGNS[state], text };
}

function nextTry(state: Effect['state'], nextTryAt: string | undefined, now: number): string {
  const left = state === 'pending' && nextTryAt !== undefined ? Date.parse(nextTryAt) - now : Number.NaN;
  if (Number.isNaN(left)) {
    return '';
  }
  return left > 0
    ? t('thresholds.effect.next-try', 'Next try in {{time}}.', { time: duration(Math.ceil(left / 1000) * 1000) })
    : t('thresholds.effect.trying', 'Trying now.');
}
