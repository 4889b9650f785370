import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Combobox, Field, IconButton, Input, MultiCombobox, useStyles2 } from '@grafana/ui';
import { PRIORITIES } from '@nodebell/contract/notification.ts';
import { categoryName, priorityLabel } from '../../components/messages';
import { t } from '../../i18n/t';
import type { Mistakes, RuleDraft } from './draft';

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
  const styles = useStyles2(getStyles);
  const number = { number: index + 1 };
  const ageMistake = mistakes[`rules.${index}.olderThan`];
  const known = [...new Set([...categories, ...rule.categories])];
  return (
    <div role="group" aria-label={t('config.retention.rule', 'Rule {{number}}', number)} className={styles.rule}>
      <Field
        className={styles.age}
        label={t('config.retention.older-than', 'Older than')}
        invalid={ageMistake !== undefined}
        error={ageMistake}
        validationMessageHorizontalOverflow
      >
        <Input
          id={`nodebell-retention-age-${index}`}
          value={rule.olderThan}
          onChange={({ currentTarget }) => onChange({ ...rule, olderThan: currentTarget.value })}
        />
      </Field>
      <Field className={styles.read} label={t('config.retention.read-state', 'Read state')}>
        <Combobox
          id={`nodebell-retention-read-${index}`}
          options={readOptions()}
          value={rule.read}
          onChange={({ value }) => onChange({ ...rule, read: value })}
        />
      </Field>
      <Field className={styles.many} label={t('config.retention.categories', 'Categories')}>
        <MultiCombobox
          id={`nodebell-retention-categories-${index}`}
          placeholder={t('config.retention.all', 'All')}
          options={known.map((value) => ({ value, label: categoryName(value) }))}
          value={rule.categories}
          onChange={(options) => onChange({ ...rule, categories: options.map(({ value }) => value) })}
        />
      </Field>
      <Priorities className={styles.many} rule={rule} index={index} onChange={onChange} />
      <IconButton
        name="trash-alt"
        className={styles.remove}
        tooltip={t('config.retention.remove-rule', 'Remove rule {{number}}', number)}
        onClick={onRemove}
      />
      {mistakes[`rules.${index}`] && (
        <p role="alert" className={styles.mistake}>
          {mistakes[`rules.${index}`]}
        </p>
      )}
    </div>
  );
}

function Priorities({
  className,
  rule,
  index,
  onChange,
}: Pick<Props, 'rule' | 'index' | 'onChange'> & { className: string }) {
  return (
    <Field className={className} label={t('config.retention.priorities', 'Priorities')}>
      <MultiCombobox
        id={`nodebell-retention-priorities-${index}`}
        placeholder={t('config.retention.all', 'All')}
        options={PRIORITIES.toReversed().map((value) => ({ value, label: priorityLabel(value) }))}
        value={rule.priorities}
        onChange={(options) =>
          onChange({
            ...rule,
            priorities: PRIORITIES.filter((priority) => options.some(({ value }) => value === priority)),
          })
        }
      />
    </Field>
  );
}

const readOptions = () => [
  { value: 'any' as const, label: t('config.retention.read-any', 'Read or unread') },
  { value: 'read' as const, label: t('config.retention.read-only', 'Read') },
  { value: 'unread' as const, label: t('config.retention.unread-only', 'Unread') },
];

const getStyles = (theme: GrafanaTheme2) => ({
  rule: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'flex-start',
    gap: theme.spacing(0, 1),
    position: 'relative',
    padding: theme.spacing(1.5, 5, 0, 1.5),
    marginBottom: theme.spacing(1),
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
    '& > div': { marginBottom: theme.spacing(1.5) },
  }),
  age: css({ flex: '0 1 90px', minWidth: 90 }),
  read: css({ flex: '0 1 150px', minWidth: 140 }),
  many: css({ flex: '1 1 150px', minWidth: 140 }),
  remove: css({ position: 'absolute', top: theme.spacing(1.5), right: theme.spacing(0.5) }),
  mistake: css({ flexBasis: '100%', color: theme.colors.error.text }),
});
