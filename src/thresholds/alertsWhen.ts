/** When an endpoint alerts, as a sentence: "Alerts above 80 %". Computed by the page for every position of the slider. */
import { readCondition, withValue, type Operator } from '@nodebell/contract/condition.ts';
import type { Endpoint } from '@nodebell/contract/endpoint.ts';
import { capitalised } from '../i18n/locale';
import { t } from '../i18n/t';
import { amount } from './messages';

/**
 * @param value position of the slider
 * @returns undefined if the bridge has no sentence either
 */
export function alertsWhen(
  endpoint: Pick<Endpoint, 'condition' | 'metric' | 'kind' | 'correlationId' | 'sentence'>,
  value: number
): string | undefined {
  const { condition, metric, kind, correlationId, sentence } = endpoint;
  if (condition !== undefined) {
    const { operator, number } = readCondition(withValue(condition.shipped, value));
    return operator && number && CONDITIONS[operator]({ amount: amount(number.value, metric?.unit ?? number.unit) });
  }
  if (kind === 'chain') {
    return chainSentence(correlationId, value, metric?.unit) ?? (sentence && capitalised(sentence));
  }
  return metric
    ? t('thresholds.when.package', 'The package alerts at {{amount}}', { amount: amount(value, metric.unit) })
    : sentence && capitalised(sentence);
}

/** The condition describes the healthy state, so the endpoint alerts when it is not met. */
const CONDITIONS: Record<Operator, (values: { amount: string }) => string> = {
  '<=': (values) => t('thresholds.when.above', 'Alerts above {{amount}}', values),
  '<': (values) => t('thresholds.when.at-least', 'Alerts at {{amount}} or more', values),
  '>=': (values) => t('thresholds.when.below', 'Alerts below {{amount}}', values),
  '>': (values) => t('thresholds.when.at-most', 'Alerts at {{amount}} or less', values),
  '==': (values) => t('thresholds.when.other', 'Alerts at anything but {{amount}}', values),
  '!=': (values) => t('thresholds.when.equal', 'Alerts at {{amount}}', values),
};

/** All chains have the same endpoints; see chainEndpoints.ts of the contract. */
function chainSentence(correlationId: string, count: number, unit: string | undefined): string | undefined {
  switch (correlationId) {
    case 'chain-behind':
      return unit === 'slots'
        ? t('thresholds.when.slots-behind', '', {
            count,
            defaultValue_one: 'Alerts above {{count}} slot behind',
            defaultValue_other: 'Alerts above {{count}} slots behind',
          })
        : t('thresholds.when.blocks-behind', '', {
            count,
            defaultValue_one: 'Alerts above {{count}} block behind',
            defaultValue_other: 'Alerts above {{count}} blocks behind',
          });
    case 'chain-stalled':
      return t('thresholds.when.stalled', '', {
        count,
        defaultValue_one: 'Alerts after {{count}} minute without progress',
        defaultValue_other: 'Alerts after {{count}} minutes without progress',
      });
    case 'chain-unreachable':
      return t('thresholds.when.unreachable', '', {
        count,
        defaultValue_one: 'Alerts after {{count}} minute without a response',
        defaultValue_other: 'Alerts after {{count}} minutes without a response',
      });
    case 'chain-peers':
      return t('thresholds.when.peers', '', {
        count,
        defaultValue_one: 'Alerts below {{count}} peer',
        defaultValue_other: 'Alerts below {{count}} peers',
      });
    default:
      return undefined;
  }
}
