import { css } from '@emotion/css';
import { Box, Combobox, IconButton, MultiCombobox, Stack, Text } from '@grafana/ui';
import { PRIORITIES } from '@nodebell/contract/notification.ts';
import { categoryName, priorityLabel } from '../../components/messages';
import { t } from '../../i18n/t';
import type { Mistakes, RuleDraft } from './draft';
import { Bordered } from '../../components/Bordered';
import { FormField, TextField } from '../../components/TextField';

interface Props {
  rule: RuleDraft;
  /** From 0. */
  index: number;
  categories: string[];
  mistakes: Mistakes;
  onChange: (rule: RuleDraft) => void;
  onRemove: () => void;
}

/** One rule: which notifications are removed, and at what age. */
export function RuleFields({ rule, index, categories, mistakes, onChange, onRemove }: Props) {
  const number = { number: index + 1 };
  const mistake = mistakes[`rules.${index}`];
  const known = [...new Set([...categories, ...rule.categories])];
  return (
    <Box role="group" aria-label={t('config.retention.rule', 'Rule {{number}}', number)} marginBottom={1}>
      <Bordered padding={1.5}>
        <Stack wrap alignItems="flex-start">
          <Box flex="0 1 90px" minWidth="90px">
            <TextField
              id={`nodebell-retention-age-${index}`}
              label={t('config.retention.older-than', 'Older than')}
              value={rule.olderThan}
              error={mistakes[`rules.${index}.olderThan`]}
              validationMessageHorizontalOverflow
              onChange={(olderThan) => onChange({ ...rule, olderThan })}
            />
          </Box>
          <ReadState rule={rule} index={index} onChange={onChange} />
          <Choices
            id={`nodebell-retention-categories-${index}`}
            label={t('config.retention.categories', 'Categories')}
            options={known.map((value) => ({ value, label: categoryName(value) }))}
            value={rule.categories}
            onChange={(categories) => onChange({ ...rule, categories })}
          />
          <Choices
            id={`nodebell-retention-priorities-${index}`}
            label={t('config.retention.priorities', 'Priorities')}
            options={PRIORITIES.toReversed().map((value) => ({ value, label: priorityLabel(value) }))}
            value={rule.priorities}
            onChange={(chosen) => onChange({ ...rule, priorities: PRIORITIES.filter((one) => chosen.includes(one)) })}
          />
          <IconButton
            name="trash-alt"
            className={end}
            tooltip={t('config.retention.remove-rule', 'Remove rule {{number}}', number)}
            onClick={onRemove}
          />
        </Stack>
        {mistake && (
          <Text element="p" color="error" role="alert">
            {mistake}
          </Text>
        )}
      </Bordered>
    </Box>
  );
}

const ReadState = ({ rule, index, onChange }: Pick<Props, 'rule' | 'index' | 'onChange'>) => (
  <Box flex="0 1 150px" minWidth="140px">
    <FormField label={t('config.retention.read-state', 'Read state')}>
      <Combobox
        id={`nodebell-retention-read-${index}`}
        options={readOptions()}
        value={rule.read}
        onChange={({ value }) => onChange({ ...rule, read: value })}
      />
    </FormField>
  </Box>
);

interface ChoicesProps<Value extends string> {
  id: string;
  label: string;
  options: Array<{ value: Value; label: string }>;
  value: Value[];
  onChange: (value: Value[]) => void;
}

const Choices = <Value extends string>({ id, label, options, value, onChange }: ChoicesProps<Value>) => (
  <Box flex="1 1 150px" minWidth="140px">
    <FormField label={label}>
      <MultiCombobox
        id={id}
        placeholder={t('config.retention.all', 'All')}
        options={options}
        value={value}
        onChange={(chosen) => onChange(chosen.map((option) => option.value))}
      />
    </FormField>
  </Box>
);

const readOptions = () => [
  { value: 'any' as const, label: t('config.retention.read-any', 'Read or unread') },
  { value: 'read' as const, label: t('config.retention.read-only', 'Read') },
  { value: 'unread' as const, label: t('config.retention.unread-only', 'Unread') },
];

/** At the end of the line, also when it wraps. */
const end = css({ marginLeft: 'auto' });
