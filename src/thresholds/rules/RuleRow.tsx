import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, Icon, Text, useStyles2 } from '@grafana/ui';
import { memo, useId } from 'react';
import { StateText } from '../../components/StateText';
import { t } from '../../i18n/t';
import { ruleDetails, ruleSentence } from './messages';
import type { Rule, RuleValues } from './rule';
import { RuleEditor } from './RuleEditor';
import { SecondaryText } from '../../components/SecondaryText';

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
    <Box
      borderStyle="solid"
      borderColor="weak"
      borderRadius="default"
      backgroundColor="canvas"
      marginBottom={0.5}
      data-rule={rule.uid}
    >
      <Box display="flex" position="relative" direction="column" gap={0.25} paddingY={1} paddingX={2}>
        <Text element="h3" variant="body" weight="medium">
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
        </Text>
        <div className={styles.facts}>
          <span>{ruleSentence(rule)}</span>
          <SecondaryText>{ruleDetails(rule)}</SecondaryText>
          {draft && <StateText icon="pen" tone="info" text={t('thresholds.rules.unsaved', 'Not saved')} />}
          {rule.paused && <StateText icon="pause" tone="secondary" text={t('thresholds.rules.paused', 'Paused')} />}
          {rule.readOnly && (
            <StateText icon="lock" tone="secondary" text={t('thresholds.rules.provisioned', 'Provisioned')} />
          )}
        </div>
      </Box>
      {open && (
        <div id={id} className={styles.body}>
          <RuleEditor rule={rule} draft={draft} onDraft={onDraft} />
        </div>
      )}
    </Box>
  );
});

const getStyles = (theme: GrafanaTheme2) => ({
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
  body: css({
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(1),
    padding: theme.spacing(1, 2, 2),
    paddingLeft: 36,
    '@container thresholds (max-width: 560px)': { paddingLeft: theme.spacing(2) },
  }),
});
