import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, Portal, useStyles2 } from '@grafana/ui';
import { t } from '../i18n/t';
import { AlertWithAction } from '../components/AlertWithAction';
import { useNow } from '../components/timers';

interface Props {
  count: number;
  until: number;
  onUndo: () => void;
}

/** How long there still is to take a deletion back. */
export function UndoBar({ count, until, onUndo }: Props) {
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
          title={deletedWords(count, left)}
          aria-label={t('inbox.undo.label', 'Deleted')}
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

const deletedWords = (count: number, seconds: number): string =>
  t('inbox.undo.title', '', {
    count,
    seconds,
    defaultValue_one: '{{count, number}} notification deleted. Undo within {{seconds}} s.',
    defaultValue_other: '{{count, number}} notifications deleted. Undo within {{seconds}} s.',
  });

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
