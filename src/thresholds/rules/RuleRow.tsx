import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';
import { memo, useId } from 'react';
import { StateText } from '../../components/StateText';
import { t } from '../../i18n/t';
import { ruleDetails, ruleSentence } from './messages';
import type { Rule, RuleValues } from './rule';
import { RuleEditor } from './RuleEditor';

interface Props {
  rule: Rule;
  open: boolean;
  onOpen: (uid: string, open: boolean) => void;
  /** Unsaved values. */
  draft: RuleValues | undefined;
  onDraft: (uid: string, values: RuleValues | undefined) => void;
}

/** A rule with its condition; open, it has sliders, the values of the last week and the versions. */
export const RuleRow = memo(function RuleRow({ rule, open, onOpen, draft, onDraft }: Props) {
  const styles = useStyles2(getStyles);
  const id = useId();
  return (
    <div className={styles.row} data-rule={rule.uid}>
      <div className={styles.head}>
        <h3 className={styles.title}>
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            onClick={() => onOpen(rule.uid, !open)}
          >
            <Icon name={open ? 'angle-down' : 'angle-right'} />
            <span dir="auto">{rule.title}</span>
          </button>
        </h3>
        <div className={styles.facts}>
          <span>{ruleSentence(rule)}</span>
          <span className={styles.quiet}>{ruleDetails(rule)}</span>
          {draft && <StateText icon="pen" tone="info" text={t('thresholds.rules.unsaved', 'Not saved')} />}
          {rule.paused && <StateText icon="pause" tone="secondary" text={t('thresholds.rules.paused', 'Paused')} />}
          {rule.readOnly && (
            <StateText icon="lock" tone="secondary" text={t('thresholds.rules.provisioned', 'Provisioned')} />
          )}
        </div>
      </div>
      {open && (
        <div id={id} className={styles.body}>
          <RuleEditor rule={rule} draft={draft} onDraft={onDraft} />
        </div>
      )}
    </div>
  );
});

const getStyles = (theme: GrafanaTheme2) => ({
  row: css({
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
    background: theme.colors.background.canvas,
    marginBottom: theme.spacing(0.5),
  }),
  head: css({
    position: 'relative',
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(0.25),
    padding: theme.spacing(1, 2),
  }),
  title: css({ margin: 0, fontSize: theme.typography.body.fontSize, fontWeight: theme.typography.fontWeightMedium }),
  // The whole header toggles the row.
  toggle: css({
    display: 'flex',
    alignItems: 'flex-start',
    gap: theme.spacing(0.5),
    maxWidth: '100%',
    padding: 0,
    border: 'none',
    background: 'none',
    font: 'inherit',
    color: 'inherit',
    textAlign: 'start',
    '& > span': { overflowWrap: 'anywhere', minWidth: 0 },
    '& > svg': { flex: 'none', marginTop: 3, color: theme.colors.text.secondary },
    '&::after': { content: '""', position: 'absolute', inset: 0 },
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}`, outlineOffset: 2 },
  }),
  facts: css({
    display: 'flex',
    flexWrap: 'wrap',
    gap: theme.spacing(0, 2),
    paddingLeft: 20,
    fontVariantNumeric: 'tabular-nums',
    overflowWrap: 'anywhere',
  }),
  quiet: css({ color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize }),
  body: css({
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(1),
    padding: theme.spacing(1, 2, 2),
    paddingLeft: 36,
    '@container thresholds (max-width: 560px)': { paddingLeft: theme.spacing(2) },
  }),
});
