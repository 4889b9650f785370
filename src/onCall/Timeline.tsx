import { css, cx } from '@emotion/css';
import { colorManipulator, dateTimeForTimeZone, type GrafanaTheme2 } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';
import { DAY_MS } from '@nodebell/contract/time.ts';
import { formatMoment } from '../i18n/locale';
import { t } from '../i18n/t';
import { namesOf, spanText, untilText, type Window } from './texts';
import { type Piece, rowsOf, type TimelineRow } from './timeline';

interface Props {
  /** Not empty. */
  pieces: readonly Piece[];
  zone: string;
  unreachable: readonly string[];
}

/** Midnights between two times, and the first of them. UTC milliseconds. */
function daysBetween(start: number, end: number, zone: string): number[] {
  const days = [start];
  const day = dateTimeForTimeZone(zone, start).startOf('day').add(1, 'd');
  for (; day.valueOf() < end; day.add(1, 'd')) {
    days.push(day.valueOf());
  }
  return days;
}

/** A bar for each shift, a row for each person. The list of shifts has the same in words. */
export function Timeline({ pieces, zone, unreachable }: Props) {
  const styles = useStyles2(getStyles);
  const start = pieces[0]!.from;
  const end = pieces.at(-1)!.to;
  const rows = rowsOf(pieces);
  const place = (from: number, to: number) => ({
    insetInlineStart: `${((from - start) / (end - start)) * 100}%`,
    width: `${((to - from) / (end - start)) * 100}%`,
  });
  const days = daysBetween(start, end, zone).map((from, index, all) => ({ from, to: all[index + 1] ?? end }));
  return (
    <div className={styles.grid} role="img" aria-label={t('on-call.timeline.label', 'Timeline of the next two weeks')}>
      <div className={styles.days} style={{ gridRow: `1 / span ${rows.length + 1}` }}>
        {days.map(({ from, to }) => (
          <div key={from} className={cx(styles.day, isWeekend(from, zone) && styles.weekend)} style={place(from, to)}>
            {to - from > DAY_MS * 0.9 && (
              <>
                <span className={styles.weekday}>{formatMoment(from, { weekday: 'short' }, zone)} </span>
                {formatMoment(from, { day: 'numeric' }, zone)}
              </>
            )}
          </div>
        ))}
      </div>
      {rows.map((row, index) => (
        <Row
          key={row.person ?? ''}
          {...{ row, zone, place, window: { start, end } }}
          at={index + 2}
          isUnreachable={row.person !== undefined && unreachable.includes(row.person)}
        />
      ))}
    </div>
  );
}

const isWeekend = (at: number, zone: string): boolean => Number(dateTimeForTimeZone(zone, at).isoWeekday()) > 5;

interface RowProps {
  row: TimelineRow;
  zone: string;
  /** Number of its line in the grid. */
  at: number;
  place: (from: number, to: number) => object;
  window: Window;
  isUnreachable: boolean;
}

/** Bars that are wider than this have room for a text. */
const WITH_TEXT_MS = 3 * DAY_MS;

function Row({ row: { person, bars }, zone, at, place, window, isUnreachable }: RowProps) {
  const styles = useStyles2(getStyles);
  const ofBars = useStyles2(getBarStyles);
  const name = namesOf(person === undefined ? [] : [person]);
  return (
    <>
      <div className={cx(styles.name, person === undefined && styles.nobody)} style={{ gridRow: at }} title={name}>
        {(person === undefined || isUnreachable) && <Icon name="exclamation-triangle" size="sm" />}
        <span dir="auto">{person ?? t('on-call.timeline.nobody', 'Nobody')}</span>
      </div>
      <div className={ofBars.track} style={{ gridRow: at }}>
        {bars.map(({ from, to, isOverride }) => (
          <div
            key={from}
            className={cx(ofBars.bar, person === undefined ? ofBars.gap : isOverride && ofBars.override)}
            style={place(from, to)}
            title={[
              name,
              spanText({ from, to }, window, zone),
              ...(isOverride ? [t('on-call.override', 'Override')] : []),
            ].join('\n')}
          >
            {isOverride && <Icon name="exchange-alt" size="sm" />}
            {to - from >= WITH_TEXT_MS && to < window.end && <span>{untilText(to, zone)}</span>}
          </div>
        ))}
      </div>
    </>
  );
}

const NARROW = '@container timeline (max-width: 640px)';

/** Lines of days do not run through bars. */
const opaque = (color: string, theme: GrafanaTheme2): string =>
  `linear-gradient(${color}, ${color}), ${theme.colors.background.canvas}`;

const getStyles = (theme: GrafanaTheme2) => ({
  grid: css({
    display: 'grid',
    gridTemplateRows: '20px',
    gridTemplateColumns: 'minmax(64px, min(26%, 180px)) minmax(0, 1fr)',
    columnGap: theme.spacing(1),
    fontSize: theme.typography.bodySmall.fontSize,
    lineHeight: '20px',
  }),
  days: css({
    gridColumn: 2,
    position: 'relative',
    containerType: 'inline-size',
    containerName: 'timeline',
    minHeight: 20,
  }),
  day: css({
    position: 'absolute',
    insetBlock: 0,
    paddingInlineStart: 2,
    overflow: 'hidden',
    whiteSpace: 'nowrap',
    color: theme.colors.text.secondary,
    [NARROW]: { paddingInlineStart: 0, fontSize: 10 },
    borderInlineStart: `1px solid ${theme.colors.border.weak}`,
  }),
  weekend: css({ background: colorManipulator.alpha(theme.colors.text.primary, 0.05) }),
  weekday: css({ [NARROW]: { display: 'none' } }),
  name: css({
    gridColumn: 1,
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(0.5),
    height: 28,
    minWidth: 0,
    '& > span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
    '& > svg, & > div': { flex: 'none', color: theme.colors.warning.text },
  }),
  nobody: css({ color: theme.colors.warning.text }),
});

const getBarStyles = (theme: GrafanaTheme2) => ({
  track: css({
    gridColumn: 2,
    position: 'relative',
    overflow: 'hidden',
    height: 28,
    containerType: 'inline-size',
    containerName: 'timeline',
  }),
  bar: css({
    position: 'absolute',
    insetBlock: 3,
    minWidth: 3,
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(0.5),
    overflow: 'hidden',
    whiteSpace: 'nowrap',
    borderRadius: theme.shape.radius.default,
    border: `1px solid ${theme.colors.primary.border}`,
    background: opaque(theme.colors.primary.transparent, theme),
    '& > :first-child': { marginInlineStart: 4 },
    '& > span': { overflow: 'hidden', textOverflow: 'ellipsis', [NARROW]: { display: 'none' } },
    '& > svg, & > div': { flex: 'none' },
  }),
  override: css({
    borderStyle: 'dashed',
    borderColor: theme.colors.success.border,
    background: opaque(theme.colors.success.transparent, theme),
  }),
  gap: css({
    borderColor: theme.colors.warning.border,
    background: `repeating-linear-gradient(135deg, ${theme.colors.warning.transparent} 0 6px, transparent 6px 12px), ${theme.colors.background.canvas}`,
  }),
});
