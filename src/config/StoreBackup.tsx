import { Alert, Box } from '@grafana/ui';
import type { BridgeStatus } from '@nodebell/contract/status.ts';
import { notificationCount } from '../components/messages';
import { absoluteTime } from '../components/moments';
import { sizeText } from '../components/size';
import { duration } from '../components/time';
import { t } from '../i18n/t';
import { Code } from './Code';
import { Facts } from './Facts';
import { Section } from './Section';

const COMMAND = 'nodebell backup --to /backups/ --keep 14';
const OLD_MS = 7 * 24 * 60 * 60 * 1000;

/** The newest backup of the store, with a warning when it is missing or old. */
export function StoreBackup({ status }: { status: BridgeStatus }) {
  const { storeBackup, lastReceivedAt } = status;
  const age = storeBackup && Date.parse(status.time) - Date.parse(storeBackup.at);
  // Without notifications there is little to lose.
  const warning = lastReceivedAt !== undefined && warningOf(age);
  return (
    <Section
      title={t('config.backup.title', 'Database backup')}
      text={t(
        'config.backup.text',
        'Backs up the database of the bridge while it runs. Run the command on its host, for example daily. Files of packages are backed up on their pages.'
      )}
    >
      {warning && <Alert severity="warning" role="status" title={warning} />}
      <Facts
        facts={storeBackup ? factsOf(storeBackup, age ?? 0) : [[lastLabel(), t('config.backup.none', 'None yet')]]}
      />
      <Box marginTop={1.5}>
        <Code label={t('config.backup.code', 'Backup command')} text={COMMAND} />
      </Box>
    </Section>
  );
}

const lastLabel = (): string => t('config.backup.last', 'Last backup');

function warningOf(age: number | undefined): string | undefined {
  if (age === undefined) {
    return t('config.backup.missing', 'The database has never been backed up.');
  }
  return age > OLD_MS ? t('config.backup.old', 'The last backup is {{age}} old.', { age: duration(age) }) : undefined;
}

function factsOf(backup: NonNullable<BridgeStatus['storeBackup']>, age: number): Array<[string, string]> {
  const when = t('config.backup.when', '{{time}} ({{age}} ago)', { time: absoluteTime(backup.at), age: duration(age) });
  const content = `${notificationCount(backup.notifications)}, ${sizeText(backup.bytes)}`;
  return [
    [lastLabel(), when],
    [t('config.backup.contains', 'Content'), content],
    [t('config.backup.file', 'File'), backup.file],
  ];
}
