import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Badge, Checkbox, Icon, useStyles2 } from '@grafana/ui';
import { memo, type FormEvent } from 'react';
import type { Notification, Thread } from '@nodebell/contract/notification.ts';
import { formatNumber } from '../../i18n/locale';
import { t } from '../../i18n/t';
import { SenderAvatar } from '../../components/SenderAvatar';
import { isUnread } from '../filter';
import { Hidden } from '../../components/Hidden';
import { plainText } from '../../components/bodyText';
import { StateText } from '../../components/StateText';
import { absoluteTime, listTime } from '../../components/moments';
import { notificationCount, shortName, unreadLabel } from '../../components/messages';
import { type BurstRow, burstOf } from '../bursts';
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
} from '../messages';

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
        {burst ? <BurstBody notification={notification} /> : <RowBody notification={notification} />}
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

function RowBody({ notification: { errors, body } }: Pick<RowProps, 'notification'>) {
  const styles = useStyles2(getStyles);
  return errors === undefined ? (
    <div className={styles.body} dir="auto">
      {plainText(body)}
    </div>
  ) : (
    <div className={cx(styles.body, styles.error)} dir="auto" title={errors.slice(0, MOST_OF_ERRORS)}>
      {errors.slice(0, MOST_OF_ERRORS)}
    </div>
  );
}

/** The newest of them. */
function BurstBody({ notification }: Pick<RowProps, 'notification'>) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.body} dir="auto">
      {newestLabel(notification)}
    </div>
  );
}

function BurstMeta({ notification, burst }: Pick<RowProps, 'notification'> & { burst: BurstRow }) {
  const styles = useStyles2(getStyles);
  const state = burstSign(notification, burst);
  return (
    <div className={styles.line}>
      <span className={styles.meta}>
        <PriorityText priority={burst.priority} />
        {state && <StateText {...state} />}
        <span className={styles.package} title={senderOf(notification)}>
          {senderOf(notification, shortName(notification.dnpName))}
        </span>
      </span>
      <span className={styles.count} title={t('inbox.burst.show', 'Show all')}>
        <Icon name="layer-group" size="sm" />
        <span>{formatNumber(burst.count)}</span>
        <Icon name="angle-right" />
      </span>
    </div>
  );
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
  return (
    <div className={styles.line}>
      <span className={styles.meta}>
        <PriorityText priority={priority} />
        {state && <StateText {...state} />}
        {signs.map((sign) => (
          <ShortSign key={sign.icon} {...sign} />
        ))}
        {muted && <StateText icon="bell-slash" tone="secondary" text={t('inbox.state.muted', 'Muted')} />}
        <span className={styles.package} title={senderOf(notification)}>
          {senderOf(notification, shortName(notification.dnpName))}
        </span>
      </span>
      {threads && thread.count > 1 && (
        <span className={styles.count} title={notificationCount(thread.count)}>
          <Icon name="comment-alt" size="sm" />
          <span aria-hidden>{thread.count}</span>
          <Hidden>{inThread(thread.count)}</Hidden>
        </span>
      )}
    </div>
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

const getStyles = (theme: GrafanaTheme2) => {
  const cut = {
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    minWidth: 0,
    textAlign: 'left',
  } as const;
  return {
    row: css({
      display: 'flex',
      gap: theme.spacing(1.5),
      height: 82,
      padding: theme.spacing(1, 1.5, 1, 0.5),
      borderRadius: theme.shape.radius.default,
      position: 'relative',
      cursor: 'pointer',
      '--quiet': theme.colors.text.secondary,
      '&:hover': { background: theme.colors.action.hover },
      '& .check': { display: 'none' },
      '&:hover .check, &.selecting .check, [role=row]:focus-visible & .check': { display: 'block' },
      '&:hover .dot, &.selecting .dot, [role=row]:focus-visible & .dot': { display: 'none' },
      '@media (hover: none)': {
        '&:not(.selecting):hover .check': { display: 'none' },
        '&:not(.selecting):hover .dot': { display: 'block' },
      },
    }),
    // Secondary text, and that of errors, have too little contrast on the selection color.
    marked: css({
      '--quiet': theme.colors.text.primary,
      '--loud': theme.colors.text.primary,
      background: theme.colors.action.selected,
      '&:hover': { background: theme.colors.action.selected },
    }),
    open: css({
      '&::before': {
        content: '""',
        position: 'absolute',
        left: 0,
        top: 4,
        bottom: 4,
        width: 3,
        borderRadius: theme.shape.radius.default,
        background: theme.colors.gradients.brandVertical,
      },
    }),
    lead: css({
      flex: 'none',
      width: 16,
      marginLeft: theme.spacing(0.5),
      marginRight: theme.spacing(-0.5),
      display: 'flex',
      justifyContent: 'center',
      paddingTop: 8,
    }),
    dot: css({
      width: 10,
      height: 10,
      marginTop: 3,
      borderRadius: theme.shape.radius.circle,
      background: theme.colors.primary.main,
    }),
    check: css({ height: 16, '& label': { display: 'block' } }),
    text: css({ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column', gap: 2 }),
    line: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(1), minHeight: 20, minWidth: 0 }),
    title: css({ ...cut, flex: 1, color: theme.colors.text.primary }),
    unread: css({ color: theme.colors.text.maxContrast, fontWeight: theme.typography.fontWeightMedium }),
    time: css({
      flex: 'none',
      color: 'var(--quiet)',
      fontSize: theme.typography.bodySmall.fontSize,
      fontVariantNumeric: 'tabular-nums',
    }),
    body: css({
      ...cut,
      color: 'var(--quiet)',
      fontSize: theme.typography.bodySmall.fontSize,
      lineHeight: '18px',
      minHeight: 18,
    }),
    error: css({ color: `var(--loud, ${theme.colors.error.text})` }),
    meta: css({
      flex: 1,
      minWidth: 0,
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(1),
      color: 'var(--quiet)',
      fontSize: theme.typography.bodySmall.fontSize,
      '& > *': { flex: 'none' },
    }),
    // Is cut first, with the gap before it: the avatar stands for it as well. A lower factor would cut the others by less than a pixel.
    package: css({
      ...cut,
      flex: '0 100000 auto !important',
      marginLeft: theme.spacing(-1),
      '&::before': { content: '""', display: 'inline-block', width: theme.spacing(1) },
    }),
    // Text without room for a few letters wraps, out of sight.
    sign: css({
      display: 'inline-flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      columnGap: theme.spacing(0.5),
      flex: '0 1 auto !important',
      minWidth: 16,
      height: 18,
      lineHeight: '18px',
      overflow: 'hidden',
      position: 'relative',
      '& > svg, & > div': { flex: 'none', height: 18 },
    }),
    short: css({ ...cut, flex: '1 1 3ch' }),
    count: css({
      flex: 'none',
      display: 'inline-flex',
      alignItems: 'center',
      gap: 4,
      position: 'relative',
      color: 'var(--quiet)',
      fontSize: theme.typography.bodySmall.fontSize,
    }),
  };
};
