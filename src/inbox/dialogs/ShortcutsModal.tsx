import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Modal, useStyles2 } from '@grafana/ui';
import { t } from '../../i18n/t';
import { shortcuts } from '../keyboard';

export function ShortcutsModal({ onDismiss }: { onDismiss: () => void }) {
  const styles = useStyles2(getStyles);
  return (
    <Modal isOpen title={t('inbox.keys.title', 'Keyboard shortcuts')} onDismiss={onDismiss}>
      <dl className={styles.list}>
        {shortcuts().map(({ keys, words }) => (
          <div key={keys} className={styles.entry}>
            <dt>{words}</dt>
            <dd>
              <kbd className={styles.key}>{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  list: css({
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(240px, 1fr))',
    gap: theme.spacing(1.5, 6),
    margin: 0,
    paddingBottom: theme.spacing(1),
  }),
  entry: css({
    display: 'flex',
    justifyContent: 'space-between',
    alignItems: 'center',
    '& dt, & dd': { margin: 0, fontWeight: 'normal' },
  }),
  key: css({
    ...theme.typography.code,
    padding: theme.spacing(0.25, 1),
    border: `1px solid ${theme.colors.border.medium}`,
    borderRadius: theme.shape.radius.default,
    background: theme.colors.background.canvas,
    color: theme.colors.text.primary,
    boxShadow: 'none',
  }),
});
