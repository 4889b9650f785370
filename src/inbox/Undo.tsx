import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, Portal, useStyles2 } from '@grafana/ui';
import { UNDO_MS } from '@nodebell/contract/query.ts';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { AlertWithAction } from '../components/AlertWithAction';
import { useNow } from '../components/timers';
import { t } from '../i18n/t';
import { ACTIONS } from './actions';
import type { Undoable } from './useRun';

/** Network latency: the time limit starts at the bridge. */
const MARGIN_MS = 1000;

/** Last action, while it can be undone. */
export function useUndo() {
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
    meta: { failure: t('inbox.failure.undo', 'Could not undo'), rereads: [['inbox']] },
    mutationFn: ({ undo }: Undoable) => undo(),
    onSuccess: (_data, { revert }) => revert?.(),
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

interface Props extends Pick<Undoable, 'id' | 'count'> {
  until: number;
  onUndo: () => void;
}

/** Offers to undo what was done, with the remaining time. */
export function UndoBar({ id, count, until, onUndo }: Props) {
  const styles = useStyles2(getStyles);
  const { done } = ACTIONS[id];
  const seconds = Math.max(0, Math.ceil((until - useNow(500)) / 1000));
  return (
    <Portal>
      <div className={styles.place}>
        <AlertWithAction
          elevated
          severity="success"
          role="group"
          bottomSpacing={0}
          title={done?.text({ count, seconds }) ?? ''}
          aria-label={done?.label()}
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
