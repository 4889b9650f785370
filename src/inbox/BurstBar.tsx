import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, Text, useStyles2 } from '@grafana/ui';
import { t } from '../i18n/t';
import { ACTIONS, isPermitted } from './actions';
import { burstTitle } from '../components/threads';
import type { InboxPageState } from './useInboxPage';

/** Title of the burst that the list shows, and the way back. */
export function BurstBar({ page: { view, data, rows, handlers, disabled } }: { page: InboxPageState }) {
  const styles = useStyles2(getStyles);
  const row = rows.map(({ notification }) => notification).find(({ thread }) => thread.burst?.id === view.burst);
  const burst = row?.thread.burst;
  // Until the list is loaded, the rows are those of the inbox.
  const count = (data.settled ? data.shown?.facets.total : burst?.count) ?? 0;
  const open = (data.settled && data.shown?.facets.open) || 0;
  return (
    <div className={styles.bar}>
      <Button variant="secondary" size="sm" icon="arrow-left" onClick={handlers.closeBurst}>
        {t('inbox.burst.back', 'Back to inbox')}
      </Button>
      {row && burst && (
        <Text element="h2" variant="body" weight="medium" truncate>
          {burstTitle(row, { ...burst, count, open: 0, unread: 0, priority: row.priority })}
        </Text>
      )}
      {isPermitted('resolve', false) && open > 0 && (
        <Button
          variant="secondary"
          size="sm"
          icon={ACTIONS.resolve.icon}
          disabled={disabled}
          onClick={() => handlers.run('resolve', handlers.matching())}
        >
          {t('inbox.burst.resolve', '', {
            count: open,
            defaultValue_one: 'Resolve {{count, number}} open thread',
            defaultValue_other: 'Resolve {{count, number}} open threads',
          })}
        </Button>
      )}
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  bar: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(1, 2),
    paddingTop: theme.spacing(2),
    minWidth: 0,
    '& > button': { flex: 'none' },
    '& > button:last-child:not(:first-child)': { marginLeft: 'auto' },
    '& > h2': { minWidth: 0, margin: 0 },
  }),
});
