import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, ConfirmModal, useStyles2 } from '@grafana/ui';
import { useState } from 'react';
import type { BackupRestored } from '@nodebell/contract/backup.ts';
import type { PackageDetail } from '@nodebell/contract/package.ts';
import { toBridgeError } from '../../api/errors';
import { restoreBackup } from '../../api/packages';
import { t } from '../../i18n/t';
import { FileButton } from '../../components/FileButton';
import { restoredWords } from '../words';

type State =
  | { step: 'idle' }
  | { step: 'asking'; file: File }
  | { step: 'sending'; share: number }
  | { step: 'done'; result: BackupRestored }
  | { step: 'failed'; message: string };

function useRestore(dnpName: string) {
  const [state, setState] = useState<State>({ step: 'idle' });
  const send = async (file: File) => {
    setState({ step: 'sending', share: 0 });
    try {
      const result = await restoreBackup(dnpName, file, (share) => setState({ step: 'sending', share }));
      setState({ step: 'done', result });
    } catch (thrown) {
      setState({ step: 'failed', message: toBridgeError(thrown).message });
    }
  };
  return {
    state,
    ask: (file: File) => setState({ step: 'asking', file }),
    send: () => (state.step === 'asking' ? send(state.file) : undefined),
    close: () => setState({ step: 'idle' }),
  };
}

/** Chooses a backup, asks, sends it, and says what became of it. */
export function Restore({ detail }: { detail: PackageDetail }) {
  const { state, ask, send, close } = useRestore(detail.dnpName);
  return (
    <>
      <FileButton
        label={t('packages.restore.file', 'Backup file')}
        accept=".tar.gz,.tgz,application/gzip"
        disabled={state.step === 'sending'}
        onFile={ask}
      >
        {t('packages.restore.choose', 'Restore backup…')}
      </FileButton>
      <Outcome state={state} onClose={close} />
      <ConfirmModal
        isOpen={state.step === 'asking'}
        title={t('packages.restore.title', 'Restore backup?')}
        body={
          state.step === 'asking'
            ? t('packages.restore.text', '“{{file}}” will replace the files of {{name}}.', {
                file: state.file.name,
                name: detail.dnpName,
              })
            : ''
        }
        description={t(
          'packages.restore.stop-first',
          'Stop the package first so that it does not write to the files during the restore.'
        )}
        confirmText={t('packages.restore.restore', 'Restore')}
        onConfirm={() => void send()}
        onDismiss={close}
      />
    </>
  );
}

function Outcome({ state, onClose }: { state: State; onClose: () => void }) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.outcome} role="status">
      {state.step === 'sending' && <Progress share={state.share} />}
      {state.step === 'done' && <Result result={state.result} onClose={onClose} />}
      {state.step === 'failed' && (
        <Alert
          severity="error"
          role="note"
          title={t('packages.restore.failed', 'Could not restore the backup. No files were changed.')}
          bottomSpacing={0}
          onRemove={onClose}
        >
          {state.message}
        </Alert>
      )}
    </div>
  );
}

function Progress({ share }: { share: number }) {
  const styles = useStyles2(getStyles);
  const percent = Math.round(share * 100);
  return (
    <>
      <span>
        {share < 1
          ? t('packages.restore.uploading', 'Uploading: {{percent}} %', { percent })
          : t('packages.restore.uploaded', 'Uploaded. Validating and restoring the files…')}
      </span>
      <div
        className={styles.track}
        role="progressbar"
        aria-label={t('packages.restore.uploaded-label', 'Uploaded')}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div className={styles.bar} style={{ width: `${percent}%` }} />
      </div>
    </>
  );
}

function Result({ result, onClose }: { result: BackupRestored; onClose: () => void }) {
  const { title, lines } = restoredWords(result);
  return (
    <Alert severity="success" role="note" title={title} bottomSpacing={0} onRemove={onClose}>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Alert>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  outcome: css({ flex: '1 0 100%' }),
  track: css({
    height: 4,
    marginTop: theme.spacing(0.5),
    borderRadius: theme.shape.radius.pill,
    background: theme.colors.border.weak,
    overflow: 'hidden',
  }),
  bar: css({ height: '100%', background: theme.colors.success.text }),
});
