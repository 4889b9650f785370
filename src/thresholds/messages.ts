/** Texts and icons of the thresholds page and panel. */
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

/** "82.5": without exponent or thousands separator, so that it can be typed as shown. */
export const figure = (value: number): string => plain(value).replace('.', decimalSign());

/** "82.5 °C". */
export const amount = (value: number, unit?: string): string => (unit ? `${figure(value)} ${unit}` : figure(value));

const isPriority = (word: string): word is Priority => (PRIORITIES as readonly string[]).includes(word);

/** "Hardware, Relevant, banner": category, priority and delivery of its notifications. */
export function deliveryLabel({ category, priority, isBanner, kind }: Endpoint): string {
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

/** Summary of a package: number of endpoints, how many are on, and what mutes them. */
export function packageSummary({ enabled, endpoints }: EndpointPackage): string {
  const count = endpoints.length;
  if (count === 0) {
    return enabled.value
      ? t('thresholds.package.none', 'No endpoints')
      : t('thresholds.package.none-muted', 'No endpoints, muted by the package switch');
  }
  if (!enabled.value) {
    return t('thresholds.package.muted', '', {
      count,
      defaultValue_one: '{{count, number}} endpoint, muted by the package switch',
      defaultValue_other: '{{count, number}} endpoints, muted by the package switch',
    });
  }
  const category = mutingCategory(endpoints);
  if (category !== undefined) {
    return t('thresholds.package.muted-by-category', '', {
      count,
      category: categoryName(category),
      defaultValue_one: '{{count, number}} endpoint, muted by category {{category}}',
      defaultValue_other: '{{count, number}} endpoints, muted by category {{category}}',
    });
  }
  return enabledSummary(count, endpoints.filter(({ mutedBy }) => mutedBy.length === 0).length);
}

function enabledSummary(count: number, on: number): string {
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

/** The category that mutes all endpoints, if there is one. */
export function mutingCategory(endpoints: readonly Endpoint[]): string | undefined {
  const [first, ...others] = new Set(endpoints.map((one) => (one.mutedBy.includes('category') ? one.category : '')));
  return others.length === 0 && first ? first : undefined;
}

/** Where a value comes from, unless from the package: "Set by admin", "Read-only: provisioned from settings.yaml". */
export function originMessage({ origin, file, setBy }: EndpointSwitch | EndpointThreshold): string | undefined {
  if (origin === 'provisioned') {
    return file === undefined
      ? t('thresholds.origin.provisioned', 'Read-only: provisioned')
      : t('thresholds.origin.file', 'Read-only: provisioned from {{file}}', { file });
  }
  if (origin !== 'user') {
    return undefined;
  }
  return setBy == null
    ? t('thresholds.origin.somebody', 'Set by an unknown user')
    : t('thresholds.origin.user', 'Set by {{name}}', { name: setBy });
}

/** `package` and `bridge` are not configured monitors, so they have generic names. */
const MONITOR_NAMES: Record<Effect['monitor'], () => string> = {
  gatus: () => 'Gatus',
  grafana: () => t('thresholds.monitor.grafana', 'Grafana rule'),
  prometheus: () => t('thresholds.monitor.prometheus', 'Prometheus rule'),
  package: () => t('thresholds.monitor.package', 'Package'),
  bridge: () => t('thresholds.monitor.bridge', 'Bridge'),
};

const EFFECT_SIGNS: Record<Effect['state'], { icon: IconName; tone: Tone }> = {
  applied: { icon: 'check-circle', tone: 'success' },
  pending: { icon: 'hourglass', tone: 'warning' },
  'read-only': { icon: 'lock', tone: 'secondary' },
};

const EFFECT_LABELS: Record<Effect['state'], (monitor: string) => string> = {
  applied: (monitor) => t('thresholds.effect.applied', '{{monitor}} applied', { monitor }),
  pending: (monitor) => t('thresholds.effect.pending', '{{monitor}} pending', { monitor }),
  'read-only': (monitor) => t('thresholds.effect.read-only', '{{monitor}} read-only', { monitor }),
};

type EffectStatus = Pick<Effect, 'monitor' | 'state' | 'reason' | 'nextTryAt'>;

/** Sync state of one monitor: "Gatus applied", "Grafana rule pending: No response. Retrying in 8 s." */
export function effectSign({ monitor, state, reason, nextTryAt }: EffectStatus, now: number): EndpointSign {
  const because = reason ? `: ${reason}` : '';
  const retry = retryMessage(state, nextTryAt, now);
  const text = `${EFFECT_LABELS[state](MONITOR_NAMES[monitor]())}${because}${retry && (reason ? ' ' : '. ') + retry}`;
  return { ...EFFECT_SIGNS[state], text };
}

function retryMessage(state: Effect['state'], nextTryAt: string | undefined, now: number): string {
  const left = state === 'pending' && nextTryAt !== undefined ? Date.parse(nextTryAt) - now : Number.NaN;
  if (Number.isNaN(left)) {
    return '';
  }
  return left > 0
    ? t('thresholds.effect.next-try', 'Retrying in {{time}}.', { time: duration(Math.ceil(left / 1000) * 1000) })
    : t('thresholds.effect.trying', 'Retrying now.');
}
