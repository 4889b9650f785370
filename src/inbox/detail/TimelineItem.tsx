import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Icon, type IconName, useStyles2 } from '@grafana/ui';
import type { ReactNode } from 'react';
import { absoluteTime, clockTime, dayOf, shortDate } from '../../components/moments';
import { type Tone, toneStyles } from '../../components/StateText';

interface Props {
  /** ISO 8601. */
  at: string;
  /** The first item of its day. */
  newDay: boolean;
  now: number;
  icon: IconName;
  tone: Tone;
  /** Id of an activity, which may have several lines. */
  activity?: number;
  children: ReactNode;
}

/** Time, sign and content of an item in the history of a thread. */
export function TimelineItem({ at, newDay, now, icon, tone, activity, children }: Props) {
  const styles = useStyles2(getStyles);
  const today = dayOf(at) === dayOf(new Date(now).toISOString());
  return (
    <li className={cx(styles.item, activity === undefined ? styles.member : styles.activity)} data-activity={activity}>
      <time className={styles.time} dateTime={at} title={absoluteTime(at)}>
        {newDay && !today && <span className={styles.day}>{shortDate(at)} </span>}
        {clockTime(at)}
      </time>
      <span className={cx(styles.sign, styles[tone])}>
        <Icon name={icon} />
      </span>
      {children}
    </li>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  ...toneStyles(theme),
  item: css({ display: 'grid', gridColumn: '1 / -1', gridTemplateColumns: 'subgrid' }),
  activity: css({ alignItems: 'start', paddingBlock: theme.spacing(0.5), '& > span': { paddingTop: 2 } }),
  member: css({
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
});
