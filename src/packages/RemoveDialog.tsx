import { Alert, Modal, Stack } from '@grafana/ui';
import { t, Trans } from '../i18n/t';
import { AuthorMarkdown } from '../components/AuthorMarkdown';
import { BreakWords } from '../components/BreakWords';
import type { Removal } from './useRemoval';
import { ModalButtons } from '../components/ModalButtons';

/** Confirms the removal of a package and shows the author's warning. */
export function RemoveDialog({ removal }: { removal: Removal }) {
  const { target, warning, ready, error, busy, cancel, confirm } = removal;
  if (!target) {
    return null;
  }
  return (
    <Modal isOpen title={t('packages.remove.title', 'Remove package?')} onDismiss={cancel}>
      <Stack direction="column" gap={2}>
        {warning && (
          <Alert
            severity="warning"
            title={t('packages.remove.author', 'Warning from the author')}
            role="note"
            bottomSpacing={0}
          >
            <AuthorMarkdown text={warning} />
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
        <BreakWords>
          <p>
            <Trans i18nKey="packages.remove.text" values={{ name: target.dnpName, version: target.version }}>
              The bridge removes the card and links of <b dir="auto">{'{{name}}'}</b> {'{{version}}'}. The package keeps
              running. Its notifications and registration history are kept.
            </Trans>
          </p>
        </BreakWords>
      </Stack>
      <ModalButtons onCancel={cancel} variant="destructive" pending={busy} disabled={!ready} onClick={confirm}>
        {busy ? t('packages.remove.busy', 'Removing…') : t('packages.remove.remove', 'Remove')}
      </ModalButtons>
    </Modal>
  );
}
