import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Box, ConfirmModal, LinkButton, Stack, Text, useStyles2 } from '@grafana/ui';
import type { PackageDetail } from '@nodebell/contract/package.ts';
import { PACKAGES } from '@nodebell/contract/api/packages.ts';
import { requestOf } from '@nodebell/contract/operation.ts';
import { addressOf, upload } from '../../api/client';
import type { BridgeError } from '../../api/errors';
import { t, Trans } from '../../i18n/t';
import { may } from '../../api/permissions';
import { Line, Section } from './Section';
import { useState } from 'react';
import type { BackupRestored } from '@nodebell/contract/backup.ts';
import { useMutation } from '@tanstack/react-query';
import { BreakWords } from '../../components/BreakWords';
import { FileButton } from '../../components/FileButton';
import { restoreMessages } from '../messages';
import { List } from '../../components/List';

/** Backup contents, with download and restore if the bridge can access the files. */
export function Backup({ detail }: { detail: PackageDetail }) {
  const styles = useStyles2(getStyles);
  const { backup } = detail.facts;
  if (backup.length === 0) {
    return (
      <Section
        title={t('packages.backup.title', 'Backup')}
        empty={t('packages.backup.none', 'This package does not declare any backup files.')}
      />
    );
  }
  return (
    <Section title={t('packages.backup.contents', 'Backup contents')}>
      <List divided>
        {backup.map(({ name, path, service }) => (
          <Line
            key={name}
            title={name}
            text={<code className={styles.path}>{path}</code>}
            end={service && t('packages.place.service', 'service {{service}}', { service })}
          />
        ))}
      </List>
      {!detail.backupAvailable && (
        <Text element="p" color="secondary">
          <Trans i18nKey="packages.backup.unreachable">
            The bridge cannot access these files. To enable backup and restore, set <code>files</code> to their
            directory in the provisioning YAML file of the package.
          </Trans>
        </Text>
      )}
      {detail.backupAvailable && !may('bridge:admin') && (
        <Text element="p" color="secondary">
          {t('packages.backup.admin', 'Only Grafana admins can download and restore backups.')}
        </Text>
      )}
      {detail.backupAvailable && may('bridge:admin') && (
        <Box marginTop={1.5}>
          <Stack wrap>
            {/* Without a target, Grafana's router would handle the link. */}
            <LinkButton
              {...{ variant: 'secondary', icon: 'download-alt', target: '_self', download: '' }}
              href={addressOf(requestOf(PACKAGES.downloadBackup, { params: { dnpName: detail.dnpName } }).path)}
            >
              {t('packages.backup.download', 'Download backup')}
            </LinkButton>
            <Restore detail={detail} />
          </Stack>
        </Box>
      )}
    </Section>
  );
}

const restoreQuestion = ({ name: file }: File, name: string): string =>
  t('packages.restore.text', '“{{file}}” will replace the files of {{name}}.', { file, name });

/** The bridge restores all files or none. Once it has the upload, nobody knows without its response whether it did. */
const failureTitle = ({ kind }: BridgeError, share: number): string =>
  kind === 'unreachable' && share === 1
    ? t('packages.restore.no-response', 'No response to the restore. Files may have been changed.')
    : t('packages.restore.failed', 'Could not restore the backup. No files were changed.');

/** Selects a backup, asks for confirmation, uploads it and shows the result. */
function Restore({ detail: { dnpName } }: { detail: PackageDetail }) {
  const [file, setFile] = useState<File>();
  const [share, setShare] = useState(0);
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: (body: File) => upload(PACKAGES.restoreBackup, { params: { dnpName } }, { body, onProgress: setShare }),
    meta: { quiet: true },
  });
  const choose = (chosen: File) => {
    reset();
    setShare(0);
    setFile(chosen);
  };
  return (
    <>
      <FileButton
        label={t('packages.restore.file', 'Backup file')}
        accept=".tar.gz,.tgz,application/gzip"
        disabled={isPending}
        onFiles={([chosen]) => choose(chosen)}
      >
        {t('packages.restore.choose', 'Restore backup…')}
      </FileButton>
      <Box flex="1 0 100%" role="status">
        {isPending && <Progress share={share} />}
        {data && <Result result={data} onClose={reset} />}
        {error && (
          <Alert severity="error" role="note" title={failureTitle(error, share)} bottomSpacing={0} onRemove={reset}>
            {error.message}
          </Alert>
        )}
      </Box>
      <ConfirmModal
        isOpen={file !== undefined}
        title={t('packages.restore.title', 'Restore backup?')}
        body={file && <BreakWords>{restoreQuestion(file, dnpName)}</BreakWords>}
        description={t(
          'packages.restore.stop-first',
          'Stop the package first so that it does not write to the files during the restore.'
        )}
        confirmText={t('packages.restore.restore', 'Restore')}
        onConfirm={() => {
          setFile(undefined);
          mutate(file!);
        }}
        onDismiss={() => setFile(undefined)}
      />
    </>
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
  const { title, lines } = restoreMessages(result);
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
  path: css({ display: 'inline-block', whiteSpace: 'normal', overflowWrap: 'anywhere' }),
  track: css({
    height: 4,
    marginTop: theme.spacing(0.5),
    borderRadius: theme.shape.radius.pill,
    background: theme.colors.border.weak,
    overflow: 'hidden',
  }),
  bar: css({ height: '100%', background: theme.colors.success.text }),
});
