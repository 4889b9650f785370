import { css, cx } from '@emotion/css';
import type { DataLink, GrafanaTheme2 } from '@grafana/data';
import { Badge, Icon, useStyles2 } from '@grafana/ui';
import type { Notification } from '@nodebell/contract/notification.ts';
import { isUnread } from '../filter';
import { burstOf } from '../../components/bursts';
import { burstSign, inThread, prioritySign, rowTitle, stateSign } from '../../components/threads';
import { SenderAvatar } from '../../components/SenderAvatar';
import { Hidden } from '../../components/Hidden';
import { linkProps } from '../../components/links';
import { absoluteTime, listTime } from '../../components/moments';
import { StateText } from '../../components/StateText';
import { notificationCount, shortName, unreadLabel } from '../../components/messages';
import { pathTo } from '../../routes';

/** Narrow panels drop columns; the font size stays the same. */
export type Room = 'wide' | 'medium' | 'narrow';

export const roomOf = (width: number): Room => (width >= 340 ? 'wide' : width >= 260 ? 'medium' : 'narrow');

interface Props {
  notification: Notification;
  now: number;
  room: Room;
  /** With variables replaced. */
  links: readonly DataLink[];
}

/** Title and state: the row of the Inbox page without its text. */
export function CompactRow({ notification, now, room, links }: Props) {
  const styles = useStyles2(getStyles);
  const { timestamp, thread } = notification;
  const burst = burstOf(notification);
  const title = rowTitle(notification);
  const unread = isUnread(notification, true);
  return (
    <li className={styles.row} data-id={notification.id}>
      <span className={styles.lead}>
        {unread && (
          <span className={styles.dot}>
            <Hidden>{unreadLabel()}</Hidden>
          </span>
        )}
      </span>
      {room !== 'narrow' && <SenderAvatar notification={notification} size={24} />}
      <div className={styles.text}>
        <div className={styles.line}>
          <a
            className={cx(styles.title, unread && styles.unread)}
            dir="auto"
            title={title}
            {...linkProps(burst ? pathTo.burst(burst.id) : pathTo.notification(notification.id))}
          >
            {title}
          </a>
          <time className={styles.quiet} dateTime={timestamp} title={absoluteTime(timestamp)}>
            {listTime(timestamp, now)}
          </time>
        </div>
        <div className={styles.line}>
          <RowMeta {...{ notification, now, room }} />
          {links.map((link, index) => (
            <RowLink key={index} link={link} />
          ))}
          {!burst && thread.count > 1 && room === 'wide' && (
            <span className={styles.quiet} title={notificationCount(thread.count)}>
              <Icon name="comment-alt" size="sm" /> <span aria-hidden>{thread.count}</span>
              <Hidden>{inThread(thread.count)}</Hidden>
            </span>
          )}
        </div>
      </div>
    </li>
  );
}

function RowMeta({ notification, now, room }: Omit<Props, 'links'>) {
  const styles = useStyles2(getStyles);
  const burst = burstOf(notification);
  const priority = burst?.priority ?? notification.priority;
  const sign = prioritySign(priority);
  const loud = priority === 'critical' || priority === 'high';
  const state = burst ? burstSign(notification, burst) : stateSign(notification.thread, now, 'short');
  return (
    <span className={styles.meta}>
      {loud ? <Badge {...sign} /> : room !== 'narrow' && <span>{sign.text}</span>}
      {state && (!loud || room !== 'narrow') && <StateText {...state} />}
      {room === 'wide' && (
        <span className={styles.package} title={notification.dnpName}>
          {shortName(notification.dnpName)}
        </span>
      )}
    </span>
  );
}

function RowLink({ link: { title, url, targetBlank } }: { link: DataLink }) {
  const styles = useStyles2(getStyles);
  const props = linkProps(url);
  return props ? (
    <a
      className={styles.link}
      aria-label={title}
      title={title}
      {...(targetBlank ? { href: props.href, target: '_blank', rel: 'noopener noreferrer' } : props)}
    >
      <Icon name="external-link-alt" size="sm" />
    </a>
  ) : null;
}

const getStyles = (theme: GrafanaTheme2) => {
  const cut = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 } as const;
  const quiet = {
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
    fontVariantNumeric: 'tabular-nums',
  };
  return {
    row: css({
      display: 'flex',
      gap: theme.spacing(1),
      minHeight: 62,
      padding: theme.spacing(1, 1, 1, 0),
      borderRadius: theme.shape.radius.default,
      position: 'relative',
      '&:hover': { background: theme.colors.action.hover },
    }),
    lead: css({ flex: 'none', width: 14, paddingTop: 6, display: 'flex', justifyContent: 'flex-end' }),
    dot: css({
      width: 8,
      height: 8,
      borderRadius: theme.shape.radius.circle,
      background: theme.colors.primary.main,
    }),
    text: css({ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column', gap: 2 }),
    line: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(1), minHeight: 22, minWidth: 0 }),
    title: css({
      ...cut,
      flex: 1,
      color: theme.colors.text.primary,
      // The whole row links to the notification; its data links are stacked above.
      '&::after': { content: '""', position: 'absolute', inset: 0 },
      '&:hover': { textDecoration: 'underline' },
      '&:focus-visible': { outline: 'none' },
      '&:focus-visible::after': {
        outline: `2px solid ${theme.colors.primary.main}`,
        outlineOffset: -2,
        borderRadius: theme.shape.radius.default,
      },
    }),
    unread: css({ color: theme.colors.text.maxContrast, fontWeight: theme.typography.fontWeightMedium }),
    meta: css({
      ...quiet,
      ...cut,
      flex: 1,
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(1),
      '& > *': { flex: 'none' },
    }),
    package: css({ ...cut, flex: '0 1 auto !important' }),
    quiet: css({ ...quiet, flex: 'none' }),
    link: css({ position: 'relative', flex: 'none', padding: 4, margin: -4, color: theme.colors.text.link }),
  };
};
