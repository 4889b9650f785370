import { Box, Icon, Stack, Text } from '@grafana/ui';
import { memo, useId } from 'react';
import { StateText } from '../../components/StateText';
import { t } from '../../i18n/t';
import { ruleDetails, ruleSentence } from './messages';
import type { Rule, RuleValues } from './rule';
import { RuleEditor } from './RuleEditor';
import { SecondaryText } from '../../components/SecondaryText';
import { Disclosure } from '../../components/Disclosure';
import { Bordered } from '../../components/Bordered';

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
  const id = useId();
  return (
    <Bordered marginBottom={0.5} data-rule={rule.uid}>
      <Box display="flex" position="relative" direction="column" gap={0.25} paddingY={1} paddingX={2}>
        <Text element="h3" variant="body" weight="medium">
          <Disclosure open={open} controls={id} onToggle={() => onOpen(rule.uid, !open)}>
            <Icon name={open ? 'angle-down' : 'angle-right'} />
            <span dir="auto">{rule.title}</span>
          </Disclosure>
        </Text>
        <Box paddingLeft={2.5}>
          <Stack wrap rowGap={0} columnGap={2}>
            <Text tabular>{ruleSentence(rule)}</Text>
            <SecondaryText>{ruleDetails(rule)}</SecondaryText>
            {draft && <StateText icon="pen" tone="info" text={t('thresholds.rules.unsaved', 'Not saved')} />}
            {rule.paused && <StateText icon="pause" tone="secondary" text={t('thresholds.rules.paused', 'Paused')} />}
            {rule.readOnly && (
              <StateText icon="lock" tone="secondary" text={t('thresholds.rules.provisioned', 'Provisioned')} />
            )}
          </Stack>
        </Box>
      </Box>
      {open && (
        <Box
          id={id}
          display="flex"
          direction="column"
          gap={1}
          paddingLeft={{ xs: 2, md: 4 }}
          paddingRight={2}
          paddingBottom={2}
        >
          <RuleEditor rule={rule} draft={draft} onDraft={onDraft} />
        </Box>
      )}
    </Bordered>
  );
});
