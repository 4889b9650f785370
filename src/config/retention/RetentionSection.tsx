import { Alert, Box, Text } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import type { RetentionPolicy, RetentionStatus } from '@nodebell/contract/retention.ts';
import { retentionQuery } from '../../api/retention';
import { categoryName, priorityLabel } from '../../components/messages';
import { absoluteTime } from '../../components/moments';
import { formatNumber } from '../../i18n/locale';
import { t } from '../../i18n/t';
import { NotLoaded } from '../access/NotLoaded';
import { Section } from '../Section';
import { DiskUse } from './DiskUse';
import { RetentionForm } from './RetentionForm';

/** Retention of notifications, and the use of the disk. For admins, who alone see the configuration page. */
export function RetentionSection() {
  const { data, error, refetch } = useQuery(retentionQuery);
  return (
    <Section
      title={t('config.retention.title', 'Retention')}
      text={t(
        'config.retention.text',
        'Removes old notifications. The first rule that matches a notification decides; without a match it is kept. Notifications of open threads are never removed.'
      )}
    >
      {data ? <Loaded status={data} /> : <NotLoaded error={error} onRetry={() => void refetch()} />}
    </Section>
  );
}

function Loaded({ status }: { status: RetentionStatus }) {
  const { file, error, pausedUntil, changedAt, changedBy } = status;
  return (
    <>
      {error !== undefined && (
        <Alert
          severity="error"
          title={t('config.retention.not-removed', 'Notifications could not be removed. The bridge retries.')}
        >
          {error}
        </Alert>
      )}
      {pausedUntil !== undefined && (
        <Alert
          severity="info"
          title={t('config.retention.paused', 'Paused until {{date}}, because an archive was imported', {
            date: absoluteTime(pausedUntil),
          })}
        />
      )}
      <DiskUse status={status} />
      {file === undefined ? (
        <RetentionForm status={status} />
      ) : (
        <Alert
          severity="info"
          title={t('config.retention.provisioned', 'Provisioned by {{file}}; it can be changed only there', { file })}
        >
          <Box element="ul" paddingLeft={2.5}>
            {policyTexts(status.policy).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </Box>
        </Alert>
      )}
      {file === undefined && changedAt !== undefined && (
        <Box marginTop={1}>
          <Text color="secondary">
            {changedBy === undefined
              ? t('config.retention.changed', 'Last changed on {{date}}', { date: absoluteTime(changedAt) })
              : t('config.retention.changed-by', 'Last changed on {{date}} by {{who}}', {
                  date: absoluteTime(changedAt),
                  who: changedBy,
                })}
          </Text>
        </Box>
      )}
    </>
  );
}

/** A sentence for each part of a policy that cannot be edited. */
function policyTexts({ rules = [], maxNotifications, maxBytes, archive, maxArchiveBytes }: RetentionPolicy): string[] {
  const texts = rules.map(({ olderThan, categories = [], priorities = [], read }, index) =>
    [
      t('config.retention.rule-age', 'Rule {{number}}: older than {{age}}', { number: index + 1, age: olderThan }),
      ...(read === undefined
        ? []
        : [read ? t('config.retention.read-only', 'Read') : t('config.retention.unread-only', 'Unread')]),
      ...(categories.length === 0 ? [] : [categories.map(categoryName).join(', ')]),
      ...(priorities.length === 0 ? [] : [priorities.map(priorityLabel).join(', ')]),
    ].join(' · ')
  );
  const named = (label: string, value: string) => `${label}: ${value}`;
  return [
    ...texts,
    ...(maxNotifications === undefined
      ? []
      : [named(t('config.retention.max-count', 'Maximum number'), formatNumber(maxNotifications))]),
    ...(maxBytes === undefined ? [] : [named(t('config.retention.max-size', 'Maximum size'), maxBytes)]),
    ...(archive ? [t('config.retention.archive-first', 'Archive before removal')] : []),
    ...(maxArchiveBytes === undefined
      ? []
      : [named(t('config.retention.max-archive', 'Maximum size of the archive'), maxArchiveBytes)]),
  ];
}
