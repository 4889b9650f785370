import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { config, hasPermission } from '@grafana/runtime';
import { Box, type IconName, LinkButton, Stack, Text, useStyles2 } from '@grafana/ui';
import { useState } from 'react';
import type { NotificationDetail, SourceAlert } from '@nodebell/contract/notification.ts';
import { linkProps } from '../../components/links';
import { priorityLabel } from '../../components/messages';
import { momentLabel } from '../../components/moments';
import { Sparkline } from '../../components/Sparkline';
import { scaleOf, type SparkData } from '../../components/sparkPath';
import { formatNumber } from '../../i18n/locale';
import { t } from '../../i18n/t';
import { filterOfLabel, type LabelFilter, shownLabels } from './labels';
import { explorePath } from './ruleGraph';
import { useRule } from './useRule';
import { SmallButton } from '../../components/SmallButton';

interface Props {
  detail: NotificationDetail;
  alert: SourceAlert;
  now: number;
  /** Narrows the list. */
  onShowOnly: (filter: LabelFilter) => void;
}

/** Known facts about a notification's alert: labels, values, their graph, and links. Each only if it exists. */
export function AlertContext({ detail, alert, now, onShowOnly }: Props) {
  const startsAt = Date.parse(alert.startsAt ?? detail.thread.openedAt ?? detail.timestamp);
  const rule = useRule(alert, startsAt, isOwn(alert.ruleUrl));
  const explore = rule && hasPermission('datasources:explore') ? explorePath(rule.data, rule.range) : undefined;
  const values = Object.entries(alert.values ?? {}).map(([name, value]) => `${name} = ${formatNumber(value, NUMBER)}`);
  const title = t('inbox.alert.title', 'Alert');
  return (
    <Box element="section" aria-label={title} display="flex" direction="column" gap={1} minWidth={0}>
      <Text element="h3" variant="bodySmall" weight="medium">
        {title}
      </Text>
      <Labels {...{ detail, onShowOnly }} labels={alert.labels} />
      {values.length > 0 && (
        <Stack wrap="wrap" rowGap={0.5} columnGap={2}>
          {values.map((text) => (
            <Text key={text} variant="code">
              {text}
            </Text>
          ))}
        </Stack>
      )}
      {rule?.series && <Graph series={rule.series} threshold={rule.threshold ?? []} startsAt={startsAt} now={now} />}
      <Links {...{ detail, alert, explore }} />
    </Box>
  );
}

const NUMBER = { maximumSignificantDigits: 6 };

/** Compares with Grafana's configured address, or that of the page. */
const isOwn = (url: string | undefined): boolean =>
  url !== undefined && [config.appUrl, `${window.location.origin}/`].some((own) => own && url.startsWith(own));

/** Labels before "show all". */
const FEW = 12;

/** Labels as buttons that filter the list. */
export function Labels({
  detail,
  onShowOnly,
  ...given
}: Pick<Props, 'detail' | 'onShowOnly'> & Pick<SourceAlert, 'labels'>) {
  const styles = useStyles2(getStyles);
  const [all, setAll] = useState(false);
  const labels = shownLabels(given);
  return labels.length === 0 ? null : (
    <ul className={styles.labels} aria-label={t('inbox.alert.labels', 'Labels')}>
      {labels.slice(0, all ? undefined : FEW).map(([name, value]) => {
        const filter = filterOfLabel(name, value, detail);
        return (
          <li key={name}>
            <Label {...{ name, value, filter, onShowOnly }} />
          </li>
        );
      })}
      {!all && labels.length > FEW && (
        <li>
          <SmallButton fill="text" onClick={() => setAll(true)}>
            {t('inbox.alert.more', '{{n, number}} more', { n: labels.length - FEW })}
          </SmallButton>
        </li>
      )}
    </ul>
  );
}

interface LabelProps extends Pick<Props, 'onShowOnly'> {
  name: string;
  value: string;
  /** Undefined: nothing filters by it. */
  filter: LabelFilter | undefined;
}

function Label({ name, value, filter, onShowOnly }: LabelProps) {
  const styles = useStyles2(getStyles);
  const text = `${name}=${value}`;
  return filter ? (
    <SmallButton
      fill="outline"
      icon={filter.q === undefined ? 'filter' : 'search'}
      tooltip={tooltipOf(filter)}
      className={styles.chip}
      onClick={() => onShowOnly(filter)}
    >
      {text}
    </SmallButton>
  ) : (
    <span className={styles.plain} title={text}>
      {text}
    </span>
  );
}

function tooltipOf({ q, label, categories = [], packages = [], priorities = [] }: LabelFilter): string {
  if (q !== undefined) {
    return t('inbox.alert.search', 'Search for “{{text}}”', { text: q });
  }
  const name = label ? label.join('=') : [...categories, ...packages, ...priorities.map(priorityLabel)].join(', ');
  return t('inbox.action.only', 'Show only {{name}}', { name });
}

const HEIGHT = 64;

interface GraphProps extends Pick<Props, 'now'> {
  series: SparkData;
  /** Empty: the values are not compared as they are. */
  threshold: readonly number[];
  startsAt: number;
}

function Graph({ series, threshold, startsAt, now }: GraphProps) {
  const styles = useStyles2(getStyles);
  const { min, max } = scaleOf(series.samples, []);
  const [from, to] = [Date.parse(series.from), Date.parse(series.to)];
  const share = (startsAt - from) / (to - from);
  const last = series.samples.at(-1)![1];
  const number = (value: number) => formatNumber(value, NUMBER);
  const time = momentLabel(new Date(startsAt).toISOString(), now);
  const values = { time, min: number(min), max: number(max), last: number(last) };
  return (
    <Box element="figure" display="flex" direction="column" gap={0.5} maxWidth="720px" margin={0}>
      <div className={styles.plot}>
        <Sparkline data={series} scale={scaleOf(series.samples, threshold)} threshold={threshold} height={HEIGHT} />
        <div className={styles.start} style={{ left: `${100 * Math.min(1, Math.max(0, share))}%` }} />
      </div>
      <figcaption className={styles.caption}>
        <span>{momentLabel(series.from, now)}</span>
        <span>
          {threshold.length === 0
            ? t('inbox.alert.graph', 'Alert at {{time}}; lowest {{min}}, highest {{max}}, last {{last}}', values)
            : t(
                'inbox.alert.graph-threshold',
                'Alert at {{time}}; lowest {{min}}, highest {{max}}, last {{last}}, threshold {{threshold}}',
                { ...values, threshold: threshold.map(number).join(' – ') }
              )}
        </span>
        <span>{momentLabel(series.to, now)}</span>
      </figcaption>
    </Box>
  );
}

interface Place {
  url: string | undefined;
  icon: IconName;
  text: string;
}

function Links({ detail, alert, explore }: Pick<Props, 'detail' | 'alert'> & { explore: string | undefined }) {
  const { source, callToAction } = detail;
  const places: Place[] = [
    { url: alert.runbookUrl, icon: 'book-open', text: t('inbox.alert.runbook', 'Runbook') },
    { url: alert.panelUrl, icon: 'graph-bar', text: t('inbox.alert.panel', 'Panel') },
    { url: alert.dashboardUrl, icon: 'apps', text: t('inbox.alert.dashboard', 'Dashboard') },
    { url: alert.imageUrl, icon: 'gf-landscape', text: t('inbox.alert.image', 'Panel image') },
    { url: explore, icon: 'compass', text: t('inbox.alert.explore', 'Explore') },
    {
      url: alert.ruleUrl,
      icon: 'bell',
      text:
        alert.ruleUid === undefined && source !== 'grafana'
          ? t('inbox.alert.prometheus', 'Prometheus')
          : t('inbox.alert.rule', 'Alert rule'),
    },
  ];
  const shown = places.flatMap(({ url, ...place }) => {
    // The main button of the notification leads there.
    const props = url === undefined || url === callToAction?.url ? undefined : linkProps(url);
    return props ? [{ ...place, props }] : [];
  });
  return shown.length === 0 ? null : (
    <Stack wrap="wrap" gap={0.5}>
      {shown.map(({ icon, text, props }) => (
        <LinkButton key={text} {...props} size="sm" variant="secondary" fill="text" icon={icon}>
          {text}
        </LinkButton>
      ))}
    </Stack>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  labels: css({
    listStyle: 'none',
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(0.75),
    '& > li': { minWidth: 0, maxWidth: '100%' },
  }),
  chip: css({ maxWidth: '100%', '& > span': { overflow: 'hidden', textOverflow: 'ellipsis' } }),
  plain: css({
    display: 'block',
    maxWidth: '100%',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    padding: theme.spacing(0, 1),
    lineHeight: `${theme.spacing(theme.components.height.sm)}`,
    borderRadius: theme.shape.radius.default,
    background: theme.colors.background.secondary,
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
  }),
  plot: css({ position: 'relative' }),
  start: css({
    position: 'absolute',
    top: 0,
    bottom: 0,
    borderLeft: `1px dashed ${theme.colors.error.text}`,
  }),
  caption: css({
    display: 'flex',
    justifyContent: 'space-between',
    gap: theme.spacing(1),
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
    fontVariantNumeric: 'tabular-nums',
    '& > :nth-child(2)': { textAlign: 'center' },
  }),
});
