import { Box, Drawer, EmptyState, Text } from '@grafana/ui';
import { useInfiniteQuery } from '@tanstack/react-query';
import Skeleton from 'react-loading-skeleton';
import { t } from '../../i18n/t';
import { More } from '../../components/More';
import { absoluteTime, dateAndTime } from '../../components/moments';
import { changesQuery } from '../queries';
import { changeMessage, subjectOf, authorLabel } from './changeMessages';
import { List } from '../../components/List';
import { SecondaryText } from '../../components/SecondaryText';
import { Failure } from '../../components/Failure';

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
      <Failure title={t('thresholds.changes.failed', 'Could not load the changes')} error={error} />
      {!changes && !error && (
        <div role="status" aria-label={t('thresholds.changes.loading', 'Loading changes')}>
          <Skeleton count={6} height={20} />
        </div>
      )}
      {changes?.length === 0 && (
        <EmptyState variant="not-found" message={t('thresholds.changes.none', 'No changes yet')} />
      )}
      {changes && changes.length > 0 && (
        <List divided aria-label={t('thresholds.changes.title', 'Changes')}>
          {changes.map((change) => (
            <Box key={change.id} element="li" display="flex" direction="column">
              <Text weight="medium" dir="auto">
                {subjectOf(change)}
              </Text>
              <span>{changeMessage(change)}</span>
              <SecondaryText title={absoluteTime(change.at)}>
                {t('thresholds.changes.who', '{{who}}, {{when}}', {
                  who: authorLabel(change),
                  when: dateAndTime(change.at),
                })}
              </SecondaryText>
            </Box>
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
