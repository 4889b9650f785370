import { Stack } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import Skeleton from 'react-loading-skeleton';
import { absoluteTime, dateAndTime } from '../../components/moments';
import { t } from '../../i18n/t';
import { Sign } from '../endpoint/Sign';
import { ruleError, ruleSentence } from './messages';
import { sameValues, valuesOf, type Rule, type RuleValues } from './rule';
import { versionsQuery } from './useRules';
import { List } from '../../components/List';
import { SecondaryText } from '../../components/SecondaryText';
import { SmallButton } from '../../components/SmallButton';

interface Props {
  rule: Rule;
  /** Puts the values of a version on the sliders; nothing is saved. */
  onRestore: (values: RuleValues) => void;
}

/** The versions of a rule, newest first. */
export function RuleVersions({ rule, onRestore }: Props) {
  const { data, error } = useQuery(versionsQuery(rule));
  if (error) {
    return (
      <Sign
        icon="exclamation-triangle"
        tone="warning"
        text={t('thresholds.history.failed', 'Could not load the history: {{why}}', { why: ruleError(error) })}
      />
    );
  }
  if (!data) {
    return (
      <div role="status" aria-label={t('thresholds.rules.versions.loading', 'Loading the history')}>
        <Skeleton count={2} height={20} />
      </div>
    );
  }
  return (
    <List divided aria-label={t('thresholds.rules.history', 'History')}>
      {data.map((one) => (
        <li key={one.version}>
          <Stack wrap alignItems="center" rowGap={0} columnGap={2}>
            <span>{ruleSentence(one)}</span>
            <SecondaryText title={absoluteTime(one.updated)}>
              {t('thresholds.rules.versions.who', 'Version {{version}}, {{who}}, {{when}}', {
                version: one.version,
                who: one.updatedBy || t('thresholds.rules.unknown-user', 'an unknown user'),
                when: dateAndTime(one.updated),
              })}
            </SecondaryText>
            {one.threshold && canRestore(one, rule) && (
              <SmallButton fill="text" onClick={() => one.threshold && onRestore(valuesOf(one.threshold))}>
                {t('thresholds.rules.versions.restore', 'Restore these values')}
              </SmallButton>
            )}
          </Stack>
        </li>
      ))}
    </List>
  );
}

/** A version with a condition of the same form and other values. */
const canRestore = ({ threshold: then }: Rule, { threshold: now }: Rule): boolean =>
  then !== undefined &&
  now !== undefined &&
  then.operator === now.operator &&
  then.recoveryOperator === now.recoveryOperator &&
  !sameValues(then, now);
