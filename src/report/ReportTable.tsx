import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Icon, Tooltip, useStyles2 } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReportFigures, ReportRow, ReportSort } from '@nodebell/contract/report.ts';
import type { ReportView } from '../api/report';
import { duration } from '../components/time';
import { StateText } from '../components/StateText';
import { categoriesQuery } from '../api/notifications';
import { formatNumber } from '../i18n/locale';
import { t } from '../i18n/t';
import { Bars } from './Bars';
import { RowMenu } from './RowMenu';
import { byLabel, type Column, columns, namesOf } from './texts';
import { keyOf } from './view';

interface Props {
  rows: readonly ReportRow[];
  view: ReportView;
  onSort: (sort: ReportSort) => void;
}

/** On narrow screens each row is a card with the labels of the columns. */
export function ReportTable({ rows, view, onSort }: Props) {
  const styles = useStyles2(getStyles);
  const { data: categories } = useQuery(categoriesQuery());
  const muted = new Set(categories?.flatMap(({ category, enabled }) => (enabled ? [] : [category])));
  const shown = columns();
  return (
    <div className={styles.box}>
      <table className={styles.table} aria-label={t('report.table.label', 'Noisiest alerts')}>
        <thead className={styles.head}>
          <tr>
            <th scope="col">{byLabel(view.by)}</th>
            <th scope="col">{t('report.column.trend', '12 weeks')}</th>
            {shown.map((column) => (
              <Head key={column.sort} column={column} active={column.sort === view.sort} onSort={onSort} />
            ))}
            <th scope="col" aria-label={t('report.column.actions', 'Actions')} />
          </tr>
        </thead>
        <tbody className={styles.body}>
          {rows.map((row) => (
            <Row
              key={keyOf(row)}
              row={row}
              columns={shown}
              weeks={view.weeks}
              muted={row.category !== undefined && muted.has(row.category)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head({
  column: { sort, label, help },
  active,
  onSort,
}: {
  column: Column;
  active: boolean;
  onSort: Props['onSort'];
}) {
  const styles = useStyles2(getStyles);
  return (
    <th scope="col" className={number} {...(active && { 'aria-sort': 'descending' as const })}>
      <Tooltip content={help}>
        <button type="button" className={cx(styles.sort, active && styles.active)} onClick={() => onSort(sort)}>
          {label}
          {active && <Icon name="arrow-down" size="sm" />}
        </button>
      </Tooltip>
    </th>
  );
}

interface RowProps {
  row: ReportRow;
  columns: readonly Column[];
  weeks: number;
  muted: boolean;
}

function Row({ row, columns: shown, weeks, muted }: RowProps) {
  const styles = useStyles2(getRowStyles);
  const { name, of } = namesOf(row);
  return (
    <tr>
      <th scope="row" className={styles.name}>
        <span className={styles.clamped} title={name} dir="auto">
          {name}
        </span>
        {of.length > 0 && (
          <span className={cx(styles.clamped, styles.of)} title={of.join(' · ')} dir="auto">
            {of.join(' · ')}
          </span>
        )}
        {muted && <StateText icon="bell-slash" tone="secondary" text={t('report.row.muted', 'Category muted')} />}
      </th>
      <td className={styles.trend}>
        <Bars values={row.trend} current={weeks} height={24} />
      </td>
      {shown.map(({ sort, label }) => (
        <td key={sort} className={number} data-label={label}>
          {figure(row, sort)}
        </td>
      ))}
      <td className={styles.actions}>
        <RowMenu row={row} name={name} enabled={row.category === undefined ? undefined : !muted} />
      </td>
    </tr>
  );
}

const NONE = '–';

/** A figure as text. Of what did not happen, a dash. */
export function figure(figures: ReportFigures, sort: ReportSort): string {
  const value = figures[sort];
  switch (sort) {
    case 'timeToAcknowledge':
    case 'timeToResolve':
    case 'openSeconds':
      return value === null || figures.resolved === 0 ? NONE : duration(value * 1000);
    case 'notActedOn':
      return figures.resolved === 0
        ? NONE
        : t('report.figure.of', '{{n, number}} of {{all, number}}', { n: figures.notActedOn, all: figures.resolved });
    case 'notifications':
      return formatNumber(value ?? 0);
    default:
      return value === 0 ? NONE : formatNumber(value ?? 0);
  }
}

const NARROW = '@container report (max-width: 760px)';

const number = css({
  '&&': { textAlign: 'right' },
  fontVariantNumeric: 'tabular-nums',
  whiteSpace: 'nowrap',
  [NARROW]: { '&&': { textAlign: 'left' } },
});

const getStyles = (theme: GrafanaTheme2) => ({
  box: css({ containerType: 'inline-size', containerName: 'report' }),
  table: css({
    width: '100%',
    borderCollapse: 'collapse',
    '& th, & td': { padding: theme.spacing(1), verticalAlign: 'top', textAlign: 'left' },
    '& tr': { borderBottom: `1px solid ${theme.colors.border.weak}` },
    [NARROW]: { display: 'block' },
  }),
  head: css({
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
    [NARROW]: { display: 'none' },
  }),
  body: css({
    [NARROW]: {
      display: 'block',
      '& tr': {
        display: 'grid',
        gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
        padding: theme.spacing(1, 0),
      },
      '& th, & td': { padding: theme.spacing(0.5) },
      '& td[data-label]::before': {
        content: 'attr(data-label)',
        display: 'block',
        color: theme.colors.text.secondary,
        fontSize: theme.typography.bodySmall.fontSize,
      },
    },
  }),
  sort: css({
    display: 'inline-flex',
    alignItems: 'center',
    gap: theme.spacing(0.25),
    padding: 0,
    border: 'none',
    background: 'none',
    color: 'inherit',
    fontSize: 'inherit',
    whiteSpace: 'normal',
    textAlign: 'right',
    '&:hover': { color: theme.colors.text.primary },
  }),
  active: css({ color: theme.colors.text.primary, fontWeight: theme.typography.fontWeightMedium }),
});

const getRowStyles = (theme: GrafanaTheme2) => ({
  name: css({
    width: '30%',
    fontWeight: theme.typography.fontWeightRegular,
    [NARROW]: { gridColumn: '1 / 3', gridRow: 1, width: 'auto', minWidth: 0 },
  }),
  clamped: css({
    display: '-webkit-box',
    WebkitBoxOrient: 'vertical',
    WebkitLineClamp: 2,
    overflow: 'hidden',
    overflowWrap: 'anywhere',
  }),
  of: css({ color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize }),
  trend: css({ minWidth: 90, [NARROW]: { gridColumn: '1 / 4' } }),
  actions: css({ width: 1, [NARROW]: { gridColumn: 3, gridRow: 1, width: 'auto', justifySelf: 'end' } }),
});
