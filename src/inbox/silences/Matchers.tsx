import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Combobox, IconButton, Input, useStyles2 } from '@grafana/ui';
import { useId } from 'react';
import { LIMITS } from '@nodebell/contract/limits.ts';
import { type Matcher, type Operator, OPERATORS } from '@nodebell/contract/matchers.ts';
import { Hidden } from '../../components/Hidden';
import { t } from '../../i18n/t';
import { SmallButton } from '../../components/SmallButton';

const operatorOf = ({ isEqual, isRegex }: Matcher): Operator => OPERATORS[(isRegex ? 2 : 0) + (isEqual ? 0 : 1)]!;
const withOperator = (matcher: Matcher, operator: Operator): Matcher => ({
  ...matcher,
  isRegex: operator.endsWith('~'),
  isEqual: operator.startsWith('='),
});

const EMPTY: Matcher = { name: '', value: '', isRegex: false, isEqual: true };

interface Props {
  matchers: readonly Matcher[];
  onChange: (matchers: Matcher[]) => void;
}

/** Conditions on labels, of which all must match. */
export function Matchers({ matchers, onChange }: Props) {
  const styles = useStyles2(getStyles);
  const id = useId();
  const change = (at: number, matcher: Matcher) =>
    onChange(matchers.map((one, index) => (index === at ? matcher : one)));
  return (
    <fieldset className={styles.matchers}>
      <legend className={styles.legend}>{t('inbox.silence.labels', 'Alerts with these labels')}</legend>
      {matchers.map((matcher, index) => (
        <div key={index} className={styles.matcher} role="group" aria-label={matcher.name}>
          <Input
            className={styles.name}
            aria-label={t('inbox.silence.label', 'Label')}
            maxLength={LIMITS.matcherBytes.value}
            value={matcher.name}
            onChange={({ currentTarget }) => change(index, { ...matcher, name: currentTarget.value })}
          />
          <div className={styles.operator}>
            <label htmlFor={`${id}-${index}`}>
              <Hidden>{t('inbox.silence.operator', 'Operator')}</Hidden>
            </label>
            <Combobox
              id={`${id}-${index}`}
              width={9}
              options={OPERATORS.map((value) => ({ value }))}
              value={operatorOf(matcher)}
              onChange={({ value }) => change(index, withOperator(matcher, value))}
            />
          </div>
          <Input
            className={styles.value}
            aria-label={t('inbox.silence.value', 'Value')}
            maxLength={LIMITS.matcherBytes.value}
            value={matcher.value}
            onChange={({ currentTarget }) => change(index, { ...matcher, value: currentTarget.value })}
          />
          <IconButton
            name="trash-alt"
            className={styles.remove}
            tooltip={t('inbox.silence.remove', 'Remove {{name}}', { name: matcher.name })}
            onClick={() => onChange(matchers.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <SmallButton
        fill="outline"
        icon="plus"
        className={styles.add}
        disabled={matchers.length >= LIMITS.matchers.value}
        onClick={() => onChange([...matchers, EMPTY])}
      >
        {t('inbox.silence.add', 'Add label')}
      </SmallButton>
    </fieldset>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  matchers: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1), minWidth: 0 }),
  legend: css({
    margin: theme.spacing(0, 0, 1),
    fontSize: theme.typography.bodySmall.fontSize,
    fontWeight: theme.typography.fontWeightMedium,
  }),
  matcher: css({
    display: 'grid',
    gridTemplateAreas: '"name operator value remove"',
    gridTemplateColumns: 'minmax(0, 1fr) auto minmax(0, 1fr) auto',
    alignItems: 'center',
    gap: theme.spacing(0.5),
    // Names such as __alert_rule_uid__ are wider than a third of a phone.
    '@media (max-width: 600px)': {
      gridTemplateAreas: '"name name remove" "operator value value"',
      gridTemplateColumns: 'auto minmax(0, 1fr) auto',
      marginBottom: theme.spacing(1),
    },
  }),
  name: css({ gridArea: 'name' }),
  // The hidden label takes no line.
  operator: css({ gridArea: 'operator', display: 'flex' }),
  value: css({ gridArea: 'value' }),
  remove: css({ gridArea: 'remove' }),
  add: css({ alignSelf: 'flex-start' }),
});
