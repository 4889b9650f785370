import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import {
  Alert,
  Button,
  Combobox,
  EmptyState,
  IconButton,
  LinkButton,
  RadioButtonGroup,
  Stack,
  Text,
  useStyles2,
} from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import { LIMITS } from '@nodebell/contract/limits.ts';
import { REPORT_BY, type Report } from '@nodebell/contract/report.ts';
import { useId, useState } from 'react';
import Skeleton from 'react-loading-skeleton';
import { useSearchParams } from 'react-router-dom';
import { csvAddress, reportQuery, type ReportView } from '../api/report';
import { Hidden } from '../components/Hidden';
import { LivePage } from '../components/LivePage';
import { useNow, useRetry } from '../components/timers';
import { t } from '../i18n/t';
import { ReportTable } from './ReportTable';
import { Summary } from './Summary';
import { byLabel, columns, rangeLabel } from './texts';
import { moved, readView, SPANS, writeView } from './view';

/** Rows shown at first. */
const FIRST = 50;
/** Backlog above which the page says that it is behind. */
const BEHIND = 100;

/** Noisiest alerts by week. */
export default function ReportPage({ bridgeUrl }: { bridgeUrl: string }) {
  const [search, setSearch] = useSearchParams();
  const view = readView(search);
  const [all, setAll] = useState(false);
  const query = useQuery(reportQuery(view, all ? LIMITS.reportRows.value : FIRST));
  const { data, error, refetch } = query;
  const retry = useRetry(error !== null, () => void refetch());
  const setView = (change: Partial<ReportView>) => setSearch(writeView({ ...view, ...change }), { replace: true });
  return (
    <LivePage
      bridgeUrl={bridgeUrl}
      page="report"
      query={query}
      live={retry}
      subTitle={t('report.page.subtitle', 'Noisiest alerts by week')}
      actions={
        <LinkButton variant="secondary" icon="download-alt" href={csvAddress(view)} download target="_self">
          {t('report.page.csv', 'Download CSV')}
        </LinkButton>
      }
    >
      <Page view={view} setView={setView} report={data} loading={!data && !error} onAll={() => setAll(true)} />
    </LivePage>
  );
}

interface PageProps {
  view: ReportView;
  setView: (change: Partial<ReportView>) => void;
  report: Report | undefined;
  loading: boolean;
  onAll: () => void;
}

function Page({ view, setView, report, loading, onAll }: PageProps) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.page}>
      <Tools view={view} setView={setView} report={report} />
      {report && report.behind > BEHIND && (
        <Alert
          severity="info"
          title={t('report.page.behind', '', {
            count: report.behind,
            defaultValue_one: '{{count, number}} notification is not counted yet',
            defaultValue_other: '{{count, number}} notifications are not counted yet',
          })}
        >
          {t('report.page.behind-text', 'They are counted in the background, oldest first.')}
        </Alert>
      )}
      {loading && <Skeleton height={36} count={8} />}
      {report && (report.rows.length === 0 ? <Nothing /> : <Found {...{ view, setView, report, onAll }} />)}
    </div>
  );
}

function Nothing() {
  return (
    <EmptyState variant="not-found" hideImage message={t('report.empty.title', 'Nothing arrived in this time')}>
      {t('report.empty.text', 'Notifications are counted when they arrive, even if deleted later.')}
    </EmptyState>
  );
}

type FoundProps = Pick<PageProps, 'view' | 'setView' | 'onAll'> & { report: Report };

function Found({ view, setView, report: { total, rows, more }, onAll }: FoundProps) {
  const label = t('report.page.more', '', {
    count: more,
    defaultValue_one: '{{count, number}} more',
    defaultValue_other: '{{count, number}} more',
  });
  return (
    <>
      <Summary total={total} weeks={view.weeks} />
      <ReportTable rows={rows} view={view} onSort={(sort) => setView({ sort })} />
      {more > 0 && (
        <Stack justifyContent="center">
          {rows.length < LIMITS.reportRows.value ? (
            <Button variant="secondary" fill="text" icon="angle-down" onClick={onAll}>
              {label}
            </Button>
          ) : (
            t('report.page.in-csv', '{{more}}: all are in the CSV', { more: label })
          )}
        </Stack>
      )}
    </>
  );
}

function Tools({ view, setView, report }: Pick<PageProps, 'view' | 'setView' | 'report'>) {
  const styles = useStyles2(getStyles);
  const now = useNow();
  const id = useId();
  const go = (direction: 1 | -1) => setView({ to: moved(view, direction, now).to });
  const first = report && (report.first === null || report.from <= report.first);
  return (
    <Stack rowGap={1} columnGap={2} wrap alignItems="center">
      <RadioButtonGroup
        aria-label={t('report.tools.by', 'Group by')}
        options={REPORT_BY.map((by) => ({ value: by, label: byLabel(by) }))}
        value={view.by}
        onChange={(by) => setView({ by })}
      />
      <RadioButtonGroup
        aria-label={t('report.tools.span', 'Time span')}
        options={SPANS.map((weeks) => ({ value: weeks, label: spanLabel(weeks) }))}
        value={view.weeks}
        onChange={(weeks) => setView({ weeks })}
      />
      <Stack alignItems="center">
        <IconButton
          name="angle-left"
          size="xl"
          tooltip={t('report.tools.earlier', 'Earlier')}
          disabled={first ?? true}
          onClick={() => go(-1)}
        />
        <Text tabular role="status" title={t('report.tools.zone', 'Weeks begin on Monday, 00:00 UTC')}>
          {report ? `${rangeLabel(report.from, report.to)} (UTC)` : ''}
        </Text>
        <IconButton
          name="angle-right"
          size="xl"
          tooltip={t('report.tools.later', 'Later')}
          disabled={view.to === undefined}
          onClick={() => go(1)}
        />
      </Stack>
      <div className={styles.sort}>
        <label htmlFor={id}>
          <Hidden>{t('report.tools.sort', 'Sort by')}</Hidden>
        </label>
        <Combobox
          id={id}
          options={columns().map(({ sort, label }) => ({ value: sort, label }))}
          value={view.sort}
          onChange={({ value }) => setView({ sort: value })}
        />
      </div>
    </Stack>
  );
}

const spanLabel = (count: number): string =>
  t('report.tools.weeks', '', {
    count,
    defaultValue_one: '{{count, number}} week',
    defaultValue_other: '{{count, number}} weeks',
  });

const getStyles = (theme: GrafanaTheme2) => ({
  page: css({
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(2),
    containerType: 'inline-size',
    containerName: 'report-page',
  }),
  // Where the table has no heads.
  sort: css({ display: 'none', width: 200, '@container report-page (max-width: 760px)': { display: 'block' } }),
});
