/** Texts about rules of Grafana. */
import { explain } from '../../api/queryClient';
import { toBridgeError } from '../../api/errors';
import { duration } from '../../components/time';
import { t } from '../../i18n/t';
import { amount } from '../messages';
import { RuleConflict } from './requests';
import type { NoThreshold, ReadOnly, Rule, RuleOperator, RuleThreshold, RuleValues, ValuesProblem } from './rule';

/** "Alerts above 80, recovers below 70". */
export function valuesSentence(
  threshold: Pick<RuleThreshold, 'operator' | 'recoveryOperator'>,
  values: RuleValues
): string {
  const alerts = ALERTS[threshold.operator](namesOf(values.params));
  return values.recovery && threshold.recoveryOperator
    ? t('thresholds.rules.recovers', '{{alerts}}, recovers {{when}}', {
        alerts,
        when: RECOVERS[threshold.recoveryOperator](namesOf(values.recovery)),
      })
    : alerts;
}

const namesOf = ([first = 0, second = 0]: readonly number[]) => ({ amount: amount(first), to: amount(second) });
type Values = ReturnType<typeof namesOf>;

const within = (values: Values) => t('thresholds.rules.within', 'Alerts between {{amount}} and {{to}}', values);
const outside = (values: Values) => t('thresholds.rules.outside', 'Alerts outside {{amount}} to {{to}}', values);

const ALERTS: Record<RuleOperator, (values: Values) => string> = {
  gt: (values) => t('thresholds.when.above', 'Alerts above {{amount}}', values),
  gte: (values) => t('thresholds.when.at-least', 'Alerts at {{amount}} or more', values),
  lt: (values) => t('thresholds.when.below', 'Alerts below {{amount}}', values),
  lte: (values) => t('thresholds.when.at-most', 'Alerts at {{amount}} or less', values),
  eq: (values) => t('thresholds.when.equal', 'Alerts at {{amount}}', values),
  ne: (values) => t('thresholds.when.other', 'Alerts at anything but {{amount}}', values),
  within_range: within,
  within_range_included: within,
  outside_range: outside,
  outside_range_included: outside,
};

const between = (values: Values) => t('thresholds.rules.recovery.within', 'between {{amount}} and {{to}}', values);
const beyond = (values: Values) => t('thresholds.rules.recovery.outside', 'outside {{amount}} to {{to}}', values);

const RECOVERS: Record<RuleOperator, (values: Values) => string> = {
  gt: (values) => t('thresholds.rules.recovery.above', 'above {{amount}}', values),
  gte: (values) => t('thresholds.rules.recovery.at-least', 'at {{amount}} or more', values),
  lt: (values) => t('thresholds.rules.recovery.below', 'below {{amount}}', values),
  lte: (values) => t('thresholds.rules.recovery.at-most', 'at {{amount}} or less', values),
  eq: (values) => t('thresholds.rules.recovery.equal', 'at {{amount}}', values),
  ne: (values) => t('thresholds.rules.recovery.other', 'at anything but {{amount}}', values),
  within_range: between,
  within_range_included: between,
  outside_range: beyond,
  outside_range_included: beyond,
};

/** The condition of a rule in its row. */
export const ruleSentence = ({ threshold, none }: Pick<Rule, 'threshold' | 'none'>): string =>
  threshold ? valuesSentence(threshold, threshold) : noneMessage(none);

const NONE: Record<NoThreshold, () => string> = {
  recording: () => t('thresholds.rules.none.recording', 'Recording rule: it does not alert.'),
  several: () => t('thresholds.rules.none.several', 'Several conditions: edit the rule in Grafana.'),
  other: () => t('thresholds.rules.none.other', 'No single numeric threshold: edit the rule in Grafana.'),
};

export const noneMessage = (none: NoThreshold = 'other'): string => NONE[none]();

/** "Group memory, pending for 5 min". */
export function ruleDetails({ group, forSeconds }: Pick<Rule, 'group' | 'forSeconds'>): string {
  const inGroup = t('thresholds.rules.group', 'Group {{group}}', { group });
  return forSeconds > 0
    ? t('thresholds.rules.pending', '{{group}}, pending for {{time}}', {
        group: inGroup,
        time: duration(1000 * forSeconds),
      })
    : inGroup;
}

const READ_ONLY_MESSAGES: Record<ReadOnly, () => string> = {
  file: () =>
    t(
      'thresholds.rules.read-only.file',
      'Provisioned by a file, so it cannot be saved here. Grafana does not report the name of the file. Find it by the uid of the rule, and replace this line:'
    ),
  api: () =>
    t(
      'thresholds.rules.read-only.api',
      'Provisioned through the API, for example by Terraform or Nodebell, so it cannot be saved here. Change it where it is defined:'
    ),
  other: () =>
    t(
      'thresholds.rules.read-only.other',
      'Managed by another tool, so it cannot be saved here. Change it where it is defined:'
    ),
};

export const readOnlyMessage = (readOnly: ReadOnly): string => READ_ONLY_MESSAGES[readOnly]();

export const problemMessage = (problem: ValuesProblem): string =>
  problem === 'order'
    ? t('thresholds.rules.problem.order', 'The first value must be less than the second.')
    : t(
        'thresholds.rules.problem.recovery',
        'With this recovery threshold, an alert would recover while the condition is still met.'
      );

/** The name of one of the sliders of a rule. */
export function sliderName(title: string, part: 'params' | 'recovery', index: number, count: number): string {
  if (part === 'recovery') {
    return count === 1
      ? t('thresholds.rules.slider.recovery', 'Recovery threshold of {{title}}', { title })
      : index === 0
        ? t('thresholds.rules.slider.recovery-from', 'Recovery threshold of {{title}}, from', { title })
        : t('thresholds.rules.slider.recovery-to', 'Recovery threshold of {{title}}, to', { title });
  }
  return count === 1
    ? t('thresholds.slider.label', 'Threshold for {{title}}', { title })
    : index === 0
      ? t('thresholds.rules.slider.from', 'Threshold for {{title}}, from', { title })
      : t('thresholds.rules.slider.to', 'Threshold for {{title}}, to', { title });
}

/** The short name of a slider, in front of it; undefined if a rule has only one. */
export function shortSliderName(part: 'params' | 'recovery', index: number, count: number): string {
  if (part === 'recovery') {
    return count === 1
      ? t('thresholds.rules.short.recovery', 'Recovery')
      : index === 0
        ? t('thresholds.rules.short.recovery-from', 'Recovery from')
        : t('thresholds.rules.short.recovery-to', 'Recovery to');
  }
  return count === 1
    ? t('thresholds.rules.short.threshold', 'Threshold')
    : index === 0
      ? t('thresholds.rules.short.from', 'From')
      : t('thresholds.rules.short.to', 'To');
}

export const ruleCount = (count: number): string =>
  t('thresholds.rules.count', '', {
    count,
    defaultValue_one: '{{count, number}} rule',
    defaultValue_other: '{{count, number}} rules',
  });

export const foundCount = (found: number, count: number): string =>
  t('thresholds.rules.found', '', {
    count,
    found,
    defaultValue_one: '{{found, number}} of {{count, number}} rule',
    defaultValue_other: '{{found, number}} of {{count, number}} rules',
  });

/** "It would have fired 3 times with the new threshold, and 7 times with the saved one." */
export const previewMessage = (fired: number, saved: number): string =>
  t(
    'thresholds.rules.preview',
    'Times it would have fired in the last 7 days: {{fired, number}} instead of {{saved, number}}.',
    {
      fired,
      saved,
    }
  );

/** The error of a request, as a message for the user. */
export function ruleError(thrown: unknown): string {
  if (thrown instanceof RuleConflict) {
    return t('thresholds.rules.conflict', 'Changed in the meantime. Nothing was saved.');
  }
  const error = toBridgeError(thrown);
  return error.kind === 'role'
    ? t('thresholds.rules.forbidden', 'You do not have permission for this rule or its data source.')
    : thrown instanceof Error && error !== thrown
      ? thrown.message
      : explain(error);
}
