import { Alert } from '@grafana/ui';
import type { BridgeStatus } from '@nodebell/contract/status.ts';
import { absoluteTime } from '../components/moments';
import { duration } from '../components/time';
import { formatNumber } from '../i18n/locale';
import { t } from '../i18n/t';
import { Code } from './Code';
import { Facts } from './Facts';

const COMMAND = 'nodebell backup --to /backups/ --keep 14';
const OLD_MS = 7 * 24 * 60 * 60 * 1000;
const KILO = 1000;

/** The newest backup of the store, with a warning when it is missing or old. */
export function StoreBackup({ status }: { status: BridgeStatus }) {
  const { storeBackup, lastReceivedAt } = status;
  const age = storeBackup && Date.parse(status.time) - Date.parse(storeBackup.at);
  // Without notifications there is little to lose.
  const warning = lastReceivedAt !== undefined && warningOf(age);
  return (
    <>
      {warning && <Alert severity="warning" title={warning} />}
      <Facts
        facts={storeBackup ? factsOf(storeBackup, age ?? 0) : [[lastLabel(), t('config.backup.none', 'None yet')]]}
      />
      <Code label={t('config.backup.code', 'Backup command')} text={COMMAND} />
    </>
  );
}

const lastLabel = (): string => t('config.backup.last', 'Last backup');

function warningOf(age: number | undefined): string | undefined {
  if (age === undefined) {
    return t('config.backup.missing', 'The store has never been backed up.');
  }
  return age > OLD_MS ? t('config.backup.old', 'The last backup is {{age}} old.', { age: duration(age) }) : undefined;
}

function factsOf(backup: NonNullable<BridgeStatus['storeBackup']>, age: number): Array<[string, string]> {
  const when = t('config.backup.when', '{{time}} ({{age}} ago)', { time: absoluteTime(backup.at), age: duration(age) });
  const content = t('config.backup.content', '', {
    count: backup.notifications,
    size: sizeText(backup.bytes),
    defaultValue_one: '{{count, number}} notification, {{size}}',
    defaultValue_other: '{{count, number}} notifications, {{size}}',
  });
  return [
    [lastLabel(), when],
    [t('config.backup.contains', 'Content'), content],
    [t('config.backup.file', 'File'), backup.file],
  ];
}

function sizeText(bytes: number): string {
  const [unit, value] =
    bytes < KILO ** 2
      ? ['kilobyte', bytes / KILO]
      : bytes < KILO ** 3
        ? ['megabyte', bytes / KILO ** 2]
        : ['gigabyte', bytes / KILO ** 3];
  return formatNumber(value, { style: 'unit', unit, maximumFractionDigits: 1 });
}
