import { Box, Stack, Text } from '@grafana/ui';
import { t } from '../i18n/t';
import { ACTIONS, isPermitted } from './actions';
import { burstTitle } from '../components/threads';
import type { InboxPageState } from './useInboxPage';
import { SmallButton } from '../components/SmallButton';

/** Title of the burst that the list shows, and the way back. */
export function BurstBar({ page: { view, data, rows, handlers, disabled } }: { page: InboxPageState }) {
  const row = rows.map(({ notification }) => notification).find(({ thread }) => thread.burst?.id === view.burst);
  const burst = row?.thread.burst;
  // Until the list is loaded, the rows are those of the inbox.
  const count = (data.settled ? data.shown?.facets.total : burst?.count) ?? 0;
  const open = (data.settled && data.shown?.facets.open) || 0;
  return (
    <Box paddingTop={2}>
      <Stack wrap="wrap" alignItems="center" justifyContent="space-between" rowGap={1} columnGap={2}>
        <Stack wrap="wrap" alignItems="center" rowGap={1} columnGap={2} minWidth={0}>
          <SmallButton icon="arrow-left" onClick={handlers.closeBurst}>
            {t('inbox.burst.back', 'Back to inbox')}
          </SmallButton>
          {row && burst && (
            <Text element="h2" variant="body" weight="medium" truncate>
              {burstTitle(row, { ...burst, count, open: 0, unread: 0, priority: row.priority })}
            </Text>
          )}
        </Stack>
        {isPermitted('resolve', false) && open > 0 && (
          <SmallButton
            icon={ACTIONS.resolve.icon}
            disabled={disabled}
            onClick={() => handlers.run('resolve', handlers.matching())}
          >
            {t('inbox.burst.resolve', '', {
              count: open,
              defaultValue_one: 'Resolve {{count, number}} open thread',
              defaultValue_other: 'Resolve {{count, number}} open threads',
            })}
          </SmallButton>
        )}
      </Stack>
    </Box>
  );
}
