import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Button, Modal, useStyles2 } from '@grafana/ui';
import { t, Trans } from '../i18n/t';
import { AuthorsWords } from './AuthorsWords';
import type { Removal } from './useRemoval';

/** Asks before a package is removed; what its author says before a removal comes first. */
export function RemoveDialog({ removal }: { removal: Removal }) {
  const styles = useStyles2(getStyles);
  const { asked, warning, ready, error, busy, cancel, confirm } = removal;
  if (!asked) {
    return null;
  }
  return (
    <Modal isOpen title={t('packages.remove.title', 'Remove package?')} onDismiss={cancel}>
      <div className={styles.content}>
        {warning && (
          <Alert
            severity="warning"
            title={t('packages.remove.author', 'Warning from the author')}
            role="note"
            bottomSpacing={0}
          >
            <AuthorsWords text={warning} />
          </Alert>
        )}
        {error && (
          <Alert
            severity="error"
            title={t('packages.remove.warning-failed', 'Could not load the author’s warning')}
            bottomSpacing={0}
          >
            {error.message}
          </Alert>
        )}
        <p>
          <Trans i18nKey="packages.remove.text" values={{ name: asked.dnpName, version: asked.version }}>
            The bridge removes the card and links of{' '}
            <b dir="auto" className={styles.name}>
              {'{{name}}'}
            </b>{' '}
            {'{{version}}'}. The package keeps running. Its notifications and registration history are kept.
          </Trans>
        </p>
      </div>
      <Modal.ButtonRow>
        <Button variant="secondary" fill="outline" onClick={cancel}>
          {t('packages.remove.cancel', 'Cancel')}
        </Button>
        <Button variant="destructive" disabled={!ready || busy} onClick={confirm}>
          {busy ? t('packages.remove.busy', 'Removing…') : t('packages.remove.remove', 'Remove')}
        </Button>
      </Modal.ButtonRow>
    </Modal>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  content: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(2) }),
  name: css({ overflowWrap: 'anywhere' }),
});
