import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Button, Modal, TextArea, useStyles2 } from '@grafana/ui';
import type { Imported } from '@nodebell/contract/settings.ts';
import type { BridgeError } from '../../api/errors';
import { t } from '../../i18n/t';
import { FileButton } from '../../components/FileButton';
import { useImport } from './useImport';

/** Takes in what another bridge, or an earlier day, has set: checked first, all of it or nothing. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const styles = useStyles2(getStyles);
  const { text, state, write, check, take } = useImport();
  const isBusy = state.step === 'asking';
  return (
    <Modal isOpen title={t('thresholds.import.title', 'Import settings')} onDismiss={onClose}>
      <div className={styles.content}>
        <p>
          {t(
            'thresholds.import.what',
            'All settings are imported, or none. Settings that are not listed stay unchanged, as do provisioned settings.'
          )}
        </p>
        <TextArea
          rows={10}
          spellCheck={false}
          // What is taken in is what was checked.
          readOnly={isBusy}
          className={styles.text}
          aria-label={t('thresholds.import.text', 'Settings as YAML')}
          value={text}
          onChange={({ currentTarget }) => write(currentTarget.value)}
        />
        <div>
          <FileButton
            label={t('thresholds.import.file', 'Settings file')}
            accept=".yaml,.yml,.json"
            disabled={isBusy}
            onFile={(file) => void file.text().then(write)}
          >
            {t('thresholds.import.choose', 'Choose a file…')}
          </FileButton>
        </div>
        {state.step === 'failed' && <Failure error={state.error} />}
        {state.step === 'checked' && <Outcome imported={state.would} title={wouldWords(state.would.changed)} />}
        {state.step === 'done' && <Outcome imported={state.did} title={didWords(state.did.changed)} />}
      </div>
      <Modal.ButtonRow>
        <Button variant="secondary" fill="outline" onClick={onClose}>
          {state.step === 'done' ? t('thresholds.import.close', 'Close') : t('thresholds.import.cancel', 'Cancel')}
        </Button>
        {state.step === 'checked' && state.would.changed > 0 ? (
          <Button onClick={take}>{t('thresholds.import.take', 'Import')}</Button>
        ) : (
          <Button disabled={isBusy || text.trim() === ''} onClick={check}>
            {t('thresholds.import.check', 'Preview')}
          </Button>
        )}
      </Modal.ButtonRow>
    </Modal>
  );
}

/** Every mistake at once, with its line or its place. */
function Failure({ error }: { error: BridgeError }) {
  const styles = useStyles2(getStyles);
  const mistakes = error.problem?.errors ?? [];
  return (
    <Alert
      severity="error"
      title={t('thresholds.import.failed', 'Import failed. No settings were changed.')}
      bottomSpacing={0}
    >
      {mistakes.length > 1 ? (
        <ul className={styles.notes}>
          {mistakes.map(({ detail }, index) => (
            <li key={index}>{detail}</li>
          ))}
        </ul>
      ) : (
        <span className={styles.words}>{error.message}</span>
      )}
    </Alert>
  );
}

function Outcome({ imported: { notes }, title }: { imported: Imported; title: string }) {
  const styles = useStyles2(getStyles);
  return (
    <Alert severity="info" title={title} role="status" bottomSpacing={0}>
      {notes.length > 0 && (
        <ul className={styles.notes}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </Alert>
  );
}

const wouldWords = (count: number): string =>
  count === 0
    ? t('thresholds.import.same', 'These settings are already in effect')
    : t('thresholds.import.would', '', {
        count,
        defaultValue_one: '{{count, number}} value would change',
        defaultValue_other: '{{count, number}} values would change',
      });

const didWords = (count: number): string =>
  t('thresholds.import.did', '', {
    count,
    defaultValue_one: '{{count, number}} value changed',
    defaultValue_other: '{{count, number}} values changed',
  });

const getStyles = (theme: GrafanaTheme2) => ({
  content: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(2) }),
  text: css({ fontFamily: theme.typography.fontFamilyMonospace }),
  words: css({ overflowWrap: 'anywhere' }),
  notes: css({ paddingLeft: theme.spacing(2), overflowWrap: 'anywhere' }),
});
