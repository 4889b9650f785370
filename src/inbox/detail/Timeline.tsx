import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, Icon, Text, useStyles2 } from '@grafana/ui';
import { useState } from 'react';
import type { Notification, NotificationDetail } from '@nodebell/contract/notification.ts';
import type { Activity } from '@nodebell/contract/respond.ts';
import { t } from '../../i18n/t';
import { plainText } from '../../components/bodyText';
import { absoluteTime, clockTime, dayOf, shortDate } from '../../components/moments';
import { notificationCount } from '../../components/messages';
import { memberLabel, threadSummary } from '../../components/threads';
import { ActivityEntry } from './ActivityEntry';

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
      <div className={styles.heading}>
        <Text element="h3" variant="h6">
          {t('inbox.thread.title', 'Thread')}
        </Text>
        <Text color="secondary" variant="bodySmall">
          {thread.count > 0 ? threadSummary(thread, now) : notificationCount(members.length)}
        </Text>
      </div>
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
        <Button variant="secondary" fill="text" size="sm" icon="angle-down" onClick={() => setAll(true)}>
          {t('inbox.thread.all', 'Show all {{n, number}}', { n: entries.length })}
        </Button>
      )}
      {cut && shown.length === entries.length && (
        <Text color="secondary" variant="bodySmall">
          {t('inbox.thread.newest', 'Showing the newest {{n, number}}.', { n: members.length })}
        </Text>
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
  const today = dayOf(member.timestamp) === dayOf(new Date(now).toISOString());
  return (
    <li className={styles.entry}>
      <time className={styles.time} dateTime={member.timestamp} title={absoluteTime(member.timestamp)}>
        {newDay && !today && <span className={styles.day}>{shortDate(member.timestamp)} </span>}
        {clockTime(member.timestamp)}
      </time>
      <span className={cx(styles.sign, styles[tone])}>
        <Icon name={icon} />
      </span>
      <button
        type="button"
        className={styles.entryButton}
        aria-current={current || undefined}
        onClick={() => onOpen(member.id)}
        title={t('inbox.thread.show', 'Show this notification')}
      >
        <span className={styles.label}>{text}</span>
        <span className={styles.text} dir="auto">
          {member.source === 'admin' ? '' : plainText(member.body) || member.title}
        </span>
      </button>
    </li>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  heading: css({ display: 'flex', alignItems: 'baseline', gap: theme.spacing(1), marginBottom: theme.spacing(1) }),
  // All times have the same width, also those with a date.
  list: css({
    display: 'grid',
    gridTemplateColumns: 'minmax(44px, auto) 16px 1fr',
    columnGap: theme.spacing(1),
    listStyle: 'none',
    maxWidth: 720,
  }),
  entry: css({
    display: 'grid',
    gridColumn: '1 / -1',
    gridTemplateColumns: 'subgrid',
    alignItems: 'center',
    minHeight: 32,
    position: 'relative',
    '&:not(:last-child) > :nth-child(2)::after': {
      content: '""',
      position: 'absolute',
      top: 'calc(50% + 10px)',
      height: 'calc(100% - 20px)',
      width: 1,
      background: theme.colors.border.medium,
    },
  }),
  time: css({
    color: theme.colors.text.secondary,
    fontVariantNumeric: 'tabular-nums',
    textAlign: 'right',
    whiteSpace: 'nowrap',
  }),
  day: css({ fontSize: theme.typography.bodySmall.fontSize }),
  sign: css({ display: 'flex', justifyContent: 'center' }),
  error: css({ color: theme.colors.error.text }),
  success: css({ color: theme.colors.success.text }),
  secondary: css({ color: theme.colors.text.secondary }),
  entryButton: css({
    display: 'flex',
    gap: theme.spacing(1),
    minWidth: 0,
    padding: theme.spacing(0.5, 1),
    border: 'none',
    background: 'none',
    textAlign: 'left',
    borderRadius: theme.shape.radius.default,
    '&:hover': { background: theme.colors.action.hover },
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}` },
  }),
  label: css({ flex: 'none', fontWeight: theme.typography.fontWeightMedium, color: theme.colors.text.primary }),
  text: css({
    minWidth: 0,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: theme.colors.text.secondary,
  }),
});
