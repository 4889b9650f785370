import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Drawer, EmptyState, Text, useStyles2 } from '@grafana/ui';
import { useInfiniteQuery } from '@tanstack/react-query';
import Skeleton from 'react-loading-skeleton';
import type { SettingChange } from '@nodebell/contract/settings.ts';
import { t } from '../../i18n/t';
import { More } from '../../components/More';
import { absoluteTime, dateAndTime } from '../../components/moments';
import { changesQuery } from '../queries';
import { changeMessage, subjectOf, authorLabel } from './changeMessages';
import { List } from '../../components/List';
import { SecondaryText } from '../../components/SecondaryText';

/** The change log of settings, newest first. */
export function ChangesDrawer({ onClose }: { onClose: () => void }) {
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery(changesQuery());
  const changes = data?.pages.flat();
  return (
    <Drawer
      title={t('thresholds.changes.title', 'Changes')}
      subtitle={t(
        'thresholds.changes.what',
        'Settings changed on this page, through the API or by provisioning files.'
      )}
      size="sm"
      onClose={onClose}
    >
      {error && (
        <Alert severity="error" title={t('thresholds.changes.failed', 'Could not load the changes')}>
          {error.message}
        </Alert>
      )}
      {!changes && !error && (
        <div role="status" aria-label={t('thresholds.changes.loading', 'Loading changes')}>
          <Skeleton count={6} height={20} />
        </div>
      )}
      {changes?.length === 0 && (
        <EmptyState variant="not-found" message={t('thresholds.changes.none', 'No changes yet')} />
      )}
      {changes && changes.length > 0 && (
        <List aria-label={t('thresholds.changes.title', 'Changes')}>
          {changes.map((change) => (
            <Change key={change.id} change={change} />
          ))}
        </List>
      )}
      {hasNextPage && (
        <More
          key={changes?.length}
          label={t('thresholds.changes.more', 'Show older changes')}
          onMore={() => void fetchNextPage()}
        />
      )}
    </Drawer>
  );
}

function Change({ change }: { change: SettingChange }) {
  const styles = useStyles2(getStyles);
  return (
    <li className={styles.change}>
      <Text dir="auto" weight="medium">
        {subjectOf(change)}
      </Text>
      <span>{changeMessage(change)}</span>
      <SecondaryText title={absoluteTime(change.at)}>
        {t('thresholds.changes.who', '{{who}}, {{when}}', { who: authorLabel(change), when: dateAndTime(change.at) })}
      </SecondaryText>
    </li>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  change: css({
    display: 'flex',
    flexDirection: 'column',
    padding: theme.spacing(1, 0),
    borderBottom: `1px solid ${theme.colors.border.weak}`,
  }),
});
