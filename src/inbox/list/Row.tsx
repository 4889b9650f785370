import { cx } from '@emotion/css';
import { Badge, Checkbox, Icon, useStyles2 } from '@grafana/ui';
import { memo, type FormEvent, type ReactNode } from 'react';
import type { Notification, Thread } from '@nodebell/contract/notification.ts';
import { formatNumber } from '../../i18n/locale';
import { t } from '../../i18n/t';
import { SenderAvatar } from '../../packages/SenderAvatar';
import { isUnread } from '../filter';
import { Hidden } from '../../components/Hidden';
import { plainText } from '../../components/bodyText';
import { StateText } from '../../components/StateText';
import { absoluteTime, listTime } from '../../components/moments';
import { notificationCount, shortName, unreadLabel } from '../../components/messages';
import { type BurstRow, burstOf } from '../../components/bursts';
import { useSilenceSigns } from '../silences/useSilences';
import {
  burstSign,
  burstTitle,
  flappingLabel,
  inThread,
  newestLabel,
  prioritySign,
  resolvedLabel,
  responseSigns,
  type StateSign,
  stateSign,
  triggeredLabel,
} from '../../components/threads';
import { getStyles } from './rowStyles';

export interface RowProps {
  notification: Notification;
  /** The row stands for a thread, not for one notification. */
  threads: boolean;
  now: number;
  /** Whether its detail is shown. */
  open: boolean;
  selected: boolean;
  /** Checkboxes are shown on every row. */
  selecting: boolean;
  onSelect: (notification: Notification, range: boolean) => void;
}

/** Three lines: title, text, and priority with state. */
export const Row = memo(function Row({ notification, threads, now, open, selected, selecting, onSelect }: RowProps) {
  const styles = useStyles2(getStyles);
  const unread = isUnread(notification, threads);
  const burst = threads ? burstOf(notification) : undefined;
  const title = burst ? burstTitle(notification, burst) : notification.title;
  // The click on the checkbox arrives as a change event, with the modifier keys.
  const select = ({ nativeEvent }: FormEvent) =>
    onSelect(notification, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
  return (
    <div className={cx(styles.row, (open || selected) && styles.marked, open && styles.open, selecting && 'selecting')}>
      <div className={styles.lead} role="gridcell">
        {unread && (
          <span className={cx(styles.dot, 'dot')}>
            <Hidden>{unreadLabel()}</Hidden>
          </span>
        )}
        <span className={cx(styles.check, 'check')} onClick={(event) => event.stopPropagation()}>
          <Checkbox
            aria-label={t('inbox.list.select', 'Select {{title}}', { title })}
            value={selected}
            tabIndex={-1}
            onChange={select}
          />
        </span>
      </div>
      <SenderAvatar notification={notification} size={32} />
      <div className={styles.text} role="gridcell">
        <div className={styles.line}>
          <span className={cx(styles.title, unread && styles.unread)} dir="auto" title={title}>
            {title}
          </span>
          <time className={styles.time} dateTime={notification.timestamp} title={absoluteTime(notification.timestamp)}>
            {listTime(notification.timestamp, now)}
          </time>
        </div>
        <RowBody notification={notification} burst={burst !== undefined} />
        {burst ? (
          <BurstMeta notification={notification} burst={burst} />
        ) : (
          <RowMeta notification={notification} threads={threads} now={now} />
        )}
      </div>
    </div>
  );
});

/** Characters shown in one line; the detail shows the full text. */
const MOST_OF_ERRORS = 600;

/** The text, or the error that the sender reported; the newest text of a burst. */
function RowBody({ notification, burst }: Pick<RowProps, 'notification'> & { burst: boolean }) {
  const styles = useStyles2(getStyles);
  const error = burst ? undefined : notification.errors?.slice(0, MOST_OF_ERRORS);
  return (
    <div className={cx(styles.body, error !== undefined && styles.error)} dir="auto" title={error}>
      {error ?? (burst ? newestLabel(notification) : plainText(notification.body))}
    </div>
  );
}

interface MetaLineProps extends Pick<Notification, 'priority'> {
  notification: Notification;
  state: Omit<StateSign, 'short'> | undefined;
  /** Signs after the state. */
  children?: ReactNode;
  /** At the end of the line. */
  count: ReactNode;
}

/** Priority, state and sender. */
function MetaLine({ notification, priority, state, children, count }: MetaLineProps) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.line}>
      <span className={styles.meta}>
        <PriorityText priority={priority} />
        {state && <StateText {...state} />}
        {children}
        <span className={styles.package} title={senderOf(notification)}>
          {senderOf(notification, shortName(notification.dnpName))}
        </span>
      </span>
      {count}
    </div>
  );
}

function BurstMeta({ notification, burst }: Pick<RowProps, 'notification'> & { burst: BurstRow }) {
  const styles = useStyles2(getStyles);
  const count = (
    <span className={styles.count} title={t('inbox.burst.show', 'Show all')}>
      <Icon name="layer-group" size="sm" />
      <span>{formatNumber(burst.count)}</span>
      <Icon name="angle-right" />
    </span>
  );
  return <MetaLine {...{ notification, count }} priority={burst.priority} state={burstSign(notification, burst)} />;
}

/** The two higher priorities stand out. */
function PriorityText({ priority }: Pick<Notification, 'priority'>) {
  const sign = prioritySign(priority);
  return priority === 'critical' || priority === 'high' ? <Badge {...sign} /> : <span>{sign.text}</span>;
}

function RowMeta({ notification, threads, now }: Pick<RowProps, 'notification' | 'threads' | 'now'>) {
  const styles = useStyles2(getStyles);
  const { thread, priority, muted } = notification;
  const state = threads ? stateSign(thread, now, 'short') : memberState(notification);
  const silence = useSilenceSigns(notification, now);
  const signs = threads ? [...silence, ...responseSigns(thread, now), ...flappingSign(thread)] : [];
  const count = threads && thread.count > 1 && (
    <span className={styles.count} title={notificationCount(thread.count)}>
      <Icon name="comment-alt" size="sm" />
      <span aria-hidden>{thread.count}</span>
      <Hidden>{inThread(thread.count)}</Hidden>
    </span>
  );
  return (
    <MetaLine {...{ notification, priority, state, count }}>
      {signs.map((sign) => (
        <ShortSign key={sign.icon} {...sign} />
      ))}
      {muted && <StateText icon="bell-slash" tone="secondary" text={t('inbox.state.muted', 'Muted')} />}
    </MetaLine>
  );
}

/** Cut where there is no room; the tooltip has the full text, which is also what screen readers read. */
function ShortSign({ icon, text, short = text }: StateSign) {
  const styles = useStyles2(getStyles);
  return (
    <span className={styles.sign} title={text}>
      <Icon name={icon} size="sm" />
      <span className={styles.short} aria-hidden={short !== text}>
        {short}
      </span>
      {short !== text && <Hidden>{text}</Hidden>}
    </span>
  );
}

const flappingSign = ({ flapping }: Thread): StateSign[] =>
  flapping === undefined
    ? []
    : [
        {
          icon: 'sync',
          tone: 'secondary',
          text: flappingLabel(flapping.turns),
          short: t('inbox.state.flapping-short', 'Flapping'),
        },
      ];

/** A single notification shows its own status, not the state of its thread. */
function memberState({ status, thread }: Notification) {
  if (status === 'resolved') {
    return { icon: 'check-circle', tone: 'success', text: resolvedLabel() } as const;
  }
  return thread.state === 'event' ? undefined : ({ icon: 'fire', tone: 'secondary', text: triggeredLabel() } as const);
}

/** `attic: geth` */
const senderOf = ({ node, dnpName }: Notification, name = dnpName): string =>
  node === undefined ? name : `${node}: ${name}`;
