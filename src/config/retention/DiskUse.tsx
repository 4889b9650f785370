import { Box } from '@grafana/ui';
import type { RetentionStatus } from '@nodebell/contract/retention.ts';
import { notificationCount } from '../../components/messages';
import { absoluteTime, fullDate } from '../../components/moments';
import { sizeText } from '../../components/size';
import { t } from '../../i18n/t';
import { Facts } from '../Facts';

/** The use of the disk, what a day costs, and what was removed. */
export function DiskUse({ status }: { status: RetentionStatus }) {
  const facts: Array<[string, string]> = [
    [
      t('config.retention.stored', 'Stored'),
      t('config.retention.about', '{{what}}, about {{size}}', {
        what: notificationCount(status.notifications),
        size: sizeText(status.notificationBytes),
      }),
    ],
    [
      t('config.retention.database', 'Database'),
      t('config.retention.database-size', '{{size}}, of which {{free}} are free for new notifications', {
        size: sizeText(status.databaseBytes),
        free: sizeText(status.databaseFreeBytes),
      }),
    ],
    [
      t('config.retention.day', 'Average day'),
      t('config.retention.about', '{{what}}, about {{size}}', {
        what: notificationCount(status.day.notifications),
        size: sizeText(status.day.bytes),
      }),
    ],
    ...(status.diskFreeBytes === undefined
      ? []
      : [[t('config.retention.disk', 'Disk'), diskText(status, status.diskFreeBytes)] as [string, string]]),
    [t('config.retention.archive', 'Archive'), archiveText(status)],
    [t('config.retention.removed', 'Removed'), removedText(status)],
  ];
  return (
    <Box marginBottom={2}>
      <Facts facts={facts} label={t('config.retention.use', 'Disk use')} />
    </Box>
  );
}

function diskText({ diskFullAt }: RetentionStatus, bytes: number): string {
  const free = sizeText(bytes);
  return diskFullAt === undefined
    ? t('config.retention.disk-free', '{{free}} free', { free })
    : t('config.retention.disk-full', '{{free}} free; full on {{date}} at this rate', {
        free,
        date: fullDate(diskFullAt),
      });
}

function archiveText({ archive, archiveError = '' }: RetentionStatus): string {
  if (archive === undefined) {
    return t('config.retention.archive-unreadable', 'Folder cannot be read: {{reason}}', { reason: archiveError });
  }
  return archive.files === 0
    ? t('config.retention.no-archive', 'No files')
    : t('config.retention.archive-size', '', {
        count: archive.files,
        size: sizeText(archive.bytes),
        defaultValue_one: '{{count, number}} file, {{size}}',
        defaultValue_other: '{{count, number}} files, {{size}}',
      });
}

const removedText = ({ removed, lastRemovedAt }: RetentionStatus): string =>
  lastRemovedAt === undefined
    ? t('config.retention.none-removed', 'None since the bridge started')
    : t('config.retention.last-removed', '{{what}} since the bridge started, last on {{date}}', {
        what: notificationCount(removed),
        date: absoluteTime(lastRemovedAt),
      });
