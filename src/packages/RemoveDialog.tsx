import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Button, Modal, useStyles2 } from '@grafana/ui';
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
    <Modal isOpen title="Remove this package?" onDismiss={cancel}>
      <div className={styles.content}>
        {warning && (
          <Alert severity="warning" title="The author says before a removal" role="note" bottomSpacing={0}>
            <AuthorsWords text={warning} />
          </Alert>
        )}
        {error && (
          <Alert severity="error" title="Whether its author warns of something could not be read" bottomSpacing={0}>
            {error.message}
          </Alert>
        )}
        <p>
          <strong dir="auto" className={styles.name}>
            {asked.dnpName}
          </strong>{' '}
          {asked.version}: the bridge forgets its card and its links. The package itself goes on running, its
          notifications stay in the inbox, and when it was registered stays on record.
        </p>
      </div>
      <Modal.ButtonRow>
        <Button variant="secondary" fill="outline" onClick={cancel}>
          Cancel
        </Button>
        <Button variant="destructive" disabled={!ready || busy} onClick={confirm}>
          {busy ? 'Removing…' : 'Remove'}
        </Button>
      </Modal.ButtonRow>
    </Modal>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  content: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(2) }),
  name: css({ overflowWrap: 'anywhere' }),
});
