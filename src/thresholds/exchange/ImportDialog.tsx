import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Box, Modal, Stack, Text, TextArea, useStyles2 } from '@grafana/ui';
import { useMutation } from '@tanstack/react-query';
import type { Imported } from '@nodebell/contract/settings.ts';
import type { BridgeError } from '../../api/errors';
import { t } from '../../i18n/t';
import { BreakWords } from '../../components/BreakWords';
import { FileButton } from '../../components/FileButton';
import { useState } from 'react';
import { THRESHOLDS } from '@nodebell/contract/api/thresholds.ts';
import { call } from '../../api/client';
import { ModalButtons } from '../../components/ModalButtons';

/** Imports exported settings after a preview. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const styles = useStyles2(getStyles);
  const [text, setText] = useState('');
  const request = useMutation({
    mutationFn: (dryRun: boolean) => call(THRESHOLDS.importSettings, { body: { settings: text, dryRun } }),
    meta: { quiet: true },
  });
  const { data: imported, variables: isPreview, isPending, error } = request;
  const isChange = imported !== undefined && isPreview === true && imported.changed > 0;
  /** The import must be what was previewed. */
  const edit = (next: string) => {
    setText(next);
    request.reset();
  };
  return (
    <Modal isOpen title={t('thresholds.import.title', 'Import settings')} onDismiss={onClose}>
      <Stack direction="column" gap={2}>
        <Text element="p">
          {t(
            'thresholds.import.what',
            'Settings that are not listed stay unchanged, as do provisioned settings. Values out of range are left out.'
          )}
        </Text>
        <TextArea
          rows={10}
          spellCheck={false}
          // The imported text must be the previewed one.
          readOnly={isPending}
          className={styles.text}
          aria-label={t('thresholds.import.text', 'Settings as YAML')}
          value={text}
          onChange={({ currentTarget }) => edit(currentTarget.value)}
        />
        <div>
          <FileButton
            label={t('thresholds.import.file', 'Settings file')}
            accept=".yaml,.yml,.json"
            disabled={isPending}
            onFiles={([file]) => void file.text().then(edit)}
          >
            {t('thresholds.import.choose', 'Choose a file…')}
          </FileButton>
        </div>
        {error && <Failure error={error} />}
        {imported && (
          <Outcome imported={imported} title={isPreview ? previewTitle(imported) : resultTitle(imported.changed)} />
        )}
      </Stack>
      <ModalButtons
        onCancel={onClose}
        cancelLabel={imported && !isPreview ? t('thresholds.import.close', 'Close') : undefined}
        pending={isPending}
        disabled={text.trim() === ''}
        onClick={() => request.mutate(!isChange)}
      >
        {isChange ? t('thresholds.import.take', 'Import') : t('thresholds.import.check', 'Preview')}
      </ModalButtons>
    </Modal>
  );
}

/** Lists all errors, each with its position. */
function Failure({ error }: { error: BridgeError }) {
  const errors = error.problem?.errors ?? [];
  return (
    <Alert
      severity="error"
      title={t('thresholds.import.failed', 'Import failed. No settings were changed.')}
      bottomSpacing={0}
    >
      <BreakWords>
        {errors.length > 1 ? (
          <Box element="ul" paddingLeft={2}>
            {errors.map(({ detail }, index) => (
              <li key={index}>{detail}</li>
            ))}
          </Box>
        ) : (
          <span>{error.message}</span>
        )}
      </BreakWords>
    </Alert>
  );
}

function Outcome({ imported: { notes, rejected }, title }: { imported: Imported; title: string }) {
  return (
    <Alert severity={rejected.length > 0 ? 'warning' : 'info'} title={title} role="status" bottomSpacing={0}>
      <BreakWords>
        {rejected.length > 0 && (
          <>
            <Text element="p">{leftOutTitle(rejected.length)}</Text>
            <Box element="ul" paddingLeft={2}>
              {rejected.map(({ pointer, detail }) => (
                <li key={pointer}>{detail}</li>
              ))}
            </Box>
          </>
        )}
        {notes.length > 0 && (
          <Box element="ul" paddingLeft={2}>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </Box>
        )}
      </BreakWords>
    </Alert>
  );
}

const leftOutTitle = (count: number): string =>
  t('thresholds.import.left-out', '', {
    count,
    defaultValue_one: '{{count, number}} value is out of range and left out:',
    defaultValue_other: '{{count, number}} values are out of range and left out:',
  });

const previewTitle = ({ changed: count, rejected }: Imported): string =>
  count === 0 && rejected.length === 0
    ? t('thresholds.import.same', 'These settings are already in effect')
    : t('thresholds.import.would', '', {
        count,
        defaultValue_one: '{{count, number}} value would change',
        defaultValue_other: '{{count, number}} values would change',
      });

const resultTitle = (count: number): string =>
  t('thresholds.import.did', '', {
    count,
    defaultValue_one: '{{count, number}} value changed',
    defaultValue_other: '{{count, number}} values changed',
  });

const getStyles = (theme: GrafanaTheme2) => ({
  text: css({ fontFamily: theme.typography.fontFamilyMonospace }),
});
