import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Stack, Text, useStyles2 } from '@grafana/ui';
import { useState } from 'react';
import type { Notification, NotificationDetail } from '@nodebell/contract/notification.ts';
import type { Activity } from '@nodebell/contract/respond.ts';
import { t } from '../../i18n/t';
import { plainText } from '../../components/bodyText';
import { dayOf } from '../../components/moments';
import { notificationCount } from '../../components/messages';
import { memberLabel, threadSummary } from '../../components/threads';
import { ActivityEntry } from './ActivityEntry';
import { TimelineItem } from './TimelineItem';
import { SmallButton } from '../../components/SmallButton';
import { SecondaryText } from '../../components/SecondaryText';

const FIRST = 20;

interface Props {
  detail: NotificationDetail;
  now: number;
  onOpen: (id: number) => void;
}

type TimelineEntry = { at: string; index: number } & ({ member: Notification } | { activity: Activity });

/** Notifications, and what people did, newest first. */
function entriesOf({ members, timeline = [] }: NotificationDetail): TimelineEntry[] {
  return [
    ...members.map((member, index) => ({ at: member.timestamp, index, member })),
    ...timeline.toReversed().map((activity, index) => ({ at: activity.at, index, activity })),
  ].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

/** The history of the thread, newest first. */
export function Timeline({ detail, now, onOpen }: Props) {
  const styles = useStyles2(getStyles);
  const [all, setAll] = useState(false);
  const { members, thread } = detail;
  const entries = entriesOf(detail);
  const shown = all ? entries : entries.slice(0, FIRST);
  const cut = members.length < thread.count;
  return (
    <section aria-label={t('inbox.thread.title', 'Thread')}>
      <Stack alignItems="baseline">
        <Text element="h3" variant="h6">
          {t('inbox.thread.title', 'Thread')}
        </Text>
        <SecondaryText>
          {thread.count > 0 ? threadSummary(thread, now) : notificationCount(members.length)}
        </SecondaryText>
      </Stack>
      <ol className={styles.list}>
        {shown.map((entry, place) => {
          const newDay = place === 0 || dayOf(entry.at) !== dayOf(shown[place - 1]?.at ?? '');
          return 'activity' in entry ? (
            <ActivityEntry key={`activity ${entry.activity.id}`} activity={entry.activity} {...{ newDay, now }} />
          ) : (
            <Entry
              key={entry.member.id}
              member={entry.member}
              again={isRepeated(members, entry.index)}
              newDay={newDay}
              now={now}
              current={entry.member.id === detail.id}
              onOpen={onOpen}
            />
          );
        })}
      </ol>
      {entries.length > shown.length && (
        <SmallButton fill="text" icon="angle-down" onClick={() => setAll(true)}>
          {t('inbox.thread.all', 'Show all {{n, number}}', { n: entries.length })}
        </SmallButton>
      )}
      {cut && shown.length === entries.length && (
        <SecondaryText>
          {t('inbox.thread.newest', 'Showing the newest {{n, number}}.', { n: members.length })}
        </SecondaryText>
      )}
    </section>
  );
}

/** Whether it repeats a state that was not resolved in between. */
function isRepeated(members: readonly Notification[], index: number): boolean {
  return members[index]?.status === 'triggered' && members[index + 1]?.status === 'triggered';
}

interface EntryProps {
  member: Notification;
  again: boolean;
  newDay: boolean;
  now: number;
  current: boolean;
  onOpen: (id: number) => void;
}

function Entry({ member, again, newDay, now, current, onOpen }: EntryProps) {
  const styles = useStyles2(getStyles);
  const { text, icon, tone } = memberLabel(member, again);
  return (
    <TimelineItem at={member.timestamp} {...{ newDay, now, icon, tone }}>
      <button
        type="button"
        className={styles.entryButton}
        aria-current={current || undefined}
        onClick={() => onOpen(member.id)}
        title={t('inbox.thread.show', 'Show this notification')}
      >
        <Text weight="medium">{text}</Text>
        <Text color="secondary" truncate dir="auto">
          {member.source === 'admin' ? '' : plainText(member.body) || member.title}
        </Text>
      </button>
    </TimelineItem>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  // All times have the same width, also those with a date.
  list: css({
    display: 'grid',
    gridTemplateColumns: 'minmax(44px, auto) 16px 1fr',
    columnGap: theme.spacing(1),
    listStyle: 'none',
    maxWidth: 720,
    marginTop: theme.spacing(1),
  }),
  entryButton: css({
    display: 'flex',
    gap: theme.spacing(1),
    minWidth: 0,
    padding: theme.spacing(0.5, 1),
    whiteSpace: 'nowrap',
    border: 'none',
    background: 'none',
    textAlign: 'left',
    borderRadius: theme.shape.radius.default,
    '&:hover': { background: theme.colors.action.hover },
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}` },
  }),
});
