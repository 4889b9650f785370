import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, Checkbox, IconButton, Stack, Text, useStyles2 } from '@grafana/ui';
import { TOP_BAR_PX } from '../components/layout';
import { t } from '../i18n/t';
import { ActionButton } from './ActionButton';
import { type ActionId, ACTION_IDS, type Run, type Targets } from './actions';
import type { Selection } from './useSelection';

interface Props {
  selection: Selection;
  total: number;
  exact: boolean;
  disabled: boolean;
  /** Undefined where an action is not offered. */
  targetsFor: (id: ActionId) => Targets | undefined;
  run: Run;
}

/** Replaces the filters while rows are selected. */
export function BulkBar({ selection, total, exact, disabled, targetsFor, run }: Props) {
  const styles = useStyles2(getStyles);
  const whole = selection.all || selection.count === total;
  const nothing = disabled || selection.count === 0;
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('inbox.bulk.label', 'Selected notifications')}>
      <Stack wrap="wrap" alignItems="center" minHeight={4}>
        <div className={styles.check}>
          <Checkbox
            aria-label={whole ? t('inbox.bulk.none', 'Deselect all') : t('inbox.bulk.all', 'Select all')}
            value={whole}
            indeterminate={!whole && selection.count > 0}
            onChange={() => (whole ? selection.clear() : selection.selectAll())}
          />
        </div>
        <Text tabular role="status">
          {selectedCount(selection.count)}
        </Text>
        {!whole && (
          <Button variant="primary" fill="text" size="sm" onClick={selection.selectAll}>
            {exact
              ? t('inbox.bulk.matching-count', 'Select all {{n, number}} matching', { n: total })
              : t('inbox.bulk.matching', 'Select all matching')}
          </Button>
        )}
        <div className={styles.actions}>
          {ACTION_IDS.map((id) => {
            const targets = targetsFor(id);
            return (
              targets && (
                // Only the rows on the screen are loaded, not all that match.
                <ActionButton
                  key={id}
                  {...{ id, targets, run }}
                  many
                  disabled={nothing}
                  thread={selection.sample?.thread}
                />
              )
            );
          })}
        </div>
        <div className={styles.close}>
          <IconButton
            name="times"
            size="lg"
            tooltip={t('inbox.bulk.stop', 'Cancel selection')}
            onClick={selection.clear}
          />
        </div>
      </Stack>
    </div>
  );
}

const PHONE = '@media (max-width: 768px)';

const getStyles = (theme: GrafanaTheme2) => ({
  // Where the whole page scrolls, the actions stay in reach.
  bar: css({
    position: 'sticky',
    top: TOP_BAR_PX,
    zIndex: theme.zIndex.navbarFixed - 1,
    padding: theme.spacing(2, 0),
    background: theme.colors.background.primary,
  }),
  check: css({ height: 16, marginLeft: theme.spacing(0.5), '& label': { display: 'block' } }),
  actions: css({
    marginLeft: 'auto',
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'flex-end',
    alignItems: 'center',
    gap: theme.spacing(1),
    [PHONE]: { order: 2, flexBasis: '100%', marginLeft: 0, justifyContent: 'flex-start' },
  }),
  // Beside the number where the buttons are below it.
  close: css({ display: 'flex', [PHONE]: { order: 1, marginLeft: 'auto' } }),
});

const selectedCount = (count: number): string =>
  t('inbox.bulk.selected', '', {
    count,
    defaultValue_one: '{{count, number}} selected',
    defaultValue_other: '{{count, number}} selected',
  });
