import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, Checkbox, IconButton, useStyles2 } from '@grafana/ui';
import { t } from '../i18n/t';
import { AssignButton, SnoozeButton } from './RespondMenus';
import type { Selection } from './useSelection';

interface Props {
  selection: Selection;
  total: number;
  exact: boolean;
  disabled: boolean;
  /** Undefined for notifications outside the inbox. */
  onMark: ((seen: boolean) => void) | undefined;
  onAcknowledge: (() => void) | undefined;
  onSnooze: ((until: string | null, whose: 'me' | 'all') => void) | undefined;
  onAssign: ((assignee: string | null) => void) | undefined;
  /** Undefined where no open thread is selected. */
  onResolve: (() => void) | undefined;
  onDelete: (() => void) | undefined;
}

/** Replaces the filters while rows are selected. */
export function BulkBar({ selection, total, exact, disabled, ...handlers }: Props) {
  const styles = useStyles2(getStyles);
  const whole = selection.all || selection.count === total;
  const nothing = disabled || selection.count === 0;
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('inbox.bulk.label', 'Selected notifications')}>
      <div className={styles.check}>
        <Checkbox
          aria-label={whole ? t('inbox.bulk.none', 'Deselect all') : t('inbox.bulk.all', 'Select all')}
          value={whole}
          indeterminate={!whole && selection.count > 0}
          onChange={() => (whole ? selection.clear() : selection.selectAll())}
        />
      </div>
      <span className={styles.count} role="status">
        {t('inbox.bulk.selected', '{{n, number}} selected', { n: selection.count })}
      </span>
      {!whole && (
        <Button variant="primary" fill="text" size="sm" onClick={selection.selectAll}>
          {exact
            ? t('inbox.bulk.matching-count', 'Select all {{n, number}} matching', { n: total })
            : t('inbox.bulk.matching', 'Select all matching')}
        </Button>
      )}
      <div className={styles.actions}>
        <Actions {...{ selection, nothing }} {...handlers} />
      </div>
      <div className={styles.close}>
        <IconButton
          name="times"
          size="lg"
          tooltip={t('inbox.bulk.stop', 'Cancel selection')}
          onClick={selection.clear}
        />
      </div>
    </div>
  );
}

type ActionProps = Omit<Props, 'total' | 'exact' | 'disabled'> & { nothing: boolean };

function Actions(props: ActionProps) {
  const { selection, nothing, onMark, onAcknowledge, onSnooze, onAssign, onResolve, onDelete } = props;
  // Only the rows on the screen are loaded, not all that match.
  const own = selection.sample?.thread.unread !== undefined;
  const snoozed = selection.sample?.thread.snoozed?.for;
  return (
    <>
      {onMark && (
        <Button size="sm" variant="secondary" icon="eye" disabled={nothing} onClick={() => onMark(true)}>
          {t('inbox.action.read', 'Mark read')}
        </Button>
      )}
      {onMark && !selection.all && (
        <Button size="sm" variant="secondary" icon="envelope" disabled={nothing} onClick={() => onMark(false)}>
          {t('inbox.action.unread', 'Mark unread')}
        </Button>
      )}
      {onAcknowledge && (
        <Button size="sm" variant="secondary" icon="check" disabled={nothing} onClick={onAcknowledge}>
          {t('inbox.respond.acknowledge', 'Acknowledge')}
        </Button>
      )}
      {onSnooze && <SnoozeButton size="sm" disabled={nothing} {...{ own, snoozed, onSnooze }} />}
      {onAssign && <AssignButton size="sm" disabled={nothing} assignee="several" onAssign={onAssign} />}
      {onResolve && (
        <Button size="sm" variant="secondary" icon="check-circle" disabled={nothing} onClick={onResolve}>
          {t('inbox.detail.close', 'Resolve')}
        </Button>
      )}
      {onDelete && (
        <Button size="sm" variant="destructive" fill="outline" icon="trash-alt" disabled={nothing} onClick={onDelete}>
          {t('inbox.action.delete', 'Delete')}
        </Button>
      )}
    </>
  );
}

const PHONE = '@media (max-width: 768px)';

const getStyles = (theme: GrafanaTheme2) => ({
  bar: css({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(1), minHeight: 32 }),
  check: css({ height: 16, marginLeft: theme.spacing(0.5), '& label': { display: 'block' } }),
  count: css({ fontVariantNumeric: 'tabular-nums' }),
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
