import { UNDO_MS } from '@nodebell/contract/query.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { restoreDeleted } from '../api/notifications';
import { t } from '../i18n/t';
import type { Undoable } from './useActions';
import type { Loaded } from './loaded';
import { rowsKey } from './queries';
import { putBack } from './rows';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, Portal, useStyles2 } from '@grafana/ui';
import { AlertWithAction } from '../components/AlertWithAction';
import { useNow } from '../components/timers';
import { resolvedLabel } from './messages';

/** Network latency: the time limit starts at the bridge. */
const MARGIN_MS = 1000;

/** Last deletion or resolve, while it can be undone. */
export function useUndo() {
  const client = useQueryClient();
  const [last, setLast] = useState<(Undoable & { until: number }) | undefined>();
  const offer = useCallback((done: Undoable) => setLast({ ...done, until: Date.now() + UNDO_MS - MARGIN_MS }), []);
  const dismiss = useCallback(() => setLast(undefined), []);

  useEffect(() => {
    if (!last) {
      return undefined;
    }
    const timer = setTimeout(dismiss, Math.max(0, last.until - Date.now()));
    return () => clearTimeout(timer);
  }, [last, dismiss]);

  const restore = useMutation({
    meta: { failure: t('inbox.failure.undo', 'Could not undo') },
    mutationFn: async ({ undo, takeBack }: Undoable) => {
      await takeBack?.();
      for (const key of undo) {
        await restoreDeleted(key);
      }
    },
    onSuccess: (_data, { before, keys, view }) => {
      client.setQueryData<Loaded>(
        rowsKey(view),
        (loaded) => loaded && before && { ...loaded, rows: putBack(loaded.rows, before, keys) }
      );
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['inbox'] }),
  });

  const undo = () => {
    if (last) {
      // After a failure it is offered again while there is time, unless something else is by then.
      const offerAgain = () => setLast((now) => now ?? (Date.now() < last.until ? last : undefined));
      restore.mutate(last, { onError: offerAgain });
      dismiss();
    }
  };
  return { last, offer, dismiss, undo };
}

interface Props extends Pick<Undoable, 'what' | 'count'> {
  until: number;
  onUndo: () => void;
}

/** Offers to undo what was done, with the remaining time. */
export function UndoBar({ what, count, until, onUndo }: Props) {
  const styles = useStyles2(getStyles);
  const left = Math.max(0, Math.ceil((until - useNow(500)) / 1000));
  return (
    <Portal>
      <div className={styles.place}>
        <AlertWithAction
          elevated
          severity="success"
          role="group"
          bottomSpacing={0}
          title={titleOf(what, count, left)}
          aria-label={labelOf(what)}
          action={
            <Button variant="secondary" onClick={onUndo}>
              {t('inbox.undo.undo', 'Undo')}
            </Button>
          }
        />
      </div>
    </Portal>
  );
}

const deletedLabel = (count: number, seconds: number): string =>
  t('inbox.undo.title', '', {
    count,
    seconds,
    defaultValue_one: '{{count, number}} notification deleted. Undo within {{seconds}} s.',
    defaultValue_other: '{{count, number}} notifications deleted. Undo within {{seconds}} s.',
  });

const resolvedCount = (count: number, seconds: number): string =>
  t('inbox.undo.resolved', '', {
    count,
    seconds,
    defaultValue_one: '{{count, number}} thread resolved. Undo within {{seconds}} s.',
    defaultValue_other: '{{count, number}} threads resolved. Undo within {{seconds}} s.',
  });

const acknowledgedCount = (count: number, seconds: number): string =>
  t('inbox.undo.acknowledged-title', '', {
    count,
    seconds,
    defaultValue_one: '{{count, number}} thread acknowledged. Undo within {{seconds}} s.',
    defaultValue_other: '{{count, number}} threads acknowledged. Undo within {{seconds}} s.',
  });

const snoozedCount = (count: number, seconds: number): string =>
  t('inbox.undo.snoozed-title', '', {
    count,
    seconds,
    defaultValue_one: '{{count, number}} thread snoozed. Undo within {{seconds}} s.',
    defaultValue_other: '{{count, number}} threads snoozed. Undo within {{seconds}} s.',
  });

const assignedCount = (count: number, seconds: number): string =>
  t('inbox.undo.assigned-title', '', {
    count,
    seconds,
    defaultValue_one: 'Assignee of {{count, number}} thread changed. Undo within {{seconds}} s.',
    defaultValue_other: 'Assignee of {{count, number}} threads changed. Undo within {{seconds}} s.',
  });

function titleOf(what: Undoable['what'], count: number, seconds: number): string {
  switch (what) {
    case 'deleted':
      return deletedLabel(count, seconds);
    case 'resolved':
      return resolvedCount(count, seconds);
    case 'acknowledged':
      return acknowledgedCount(count, seconds);
    case 'snoozed':
      return snoozedCount(count, seconds);
    case 'assigned':
      return assignedCount(count, seconds);
  }
}

function labelOf(what: Undoable['what']): string {
  switch (what) {
    case 'deleted':
      return t('inbox.undo.label', 'Deleted');
    case 'resolved':
      return resolvedLabel();
    case 'acknowledged':
      return t('inbox.undo.acknowledged', 'Acknowledged');
    case 'snoozed':
      return t('inbox.undo.snoozed', 'Snoozed');
    case 'assigned':
      return t('inbox.undo.assigned', 'Assigned');
  }
}

const getStyles = (theme: GrafanaTheme2) => ({
  place: css({
    position: 'fixed',
    bottom: theme.spacing(3),
    left: '50%',
    transform: 'translateX(-50%)',
    width: 'max-content',
    maxWidth: `calc(100vw - ${theme.spacing(4)})`,
    zIndex: theme.zIndex.portal,
    fontVariantNumeric: 'tabular-nums',
  }),
});
