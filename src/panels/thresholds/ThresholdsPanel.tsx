import { css } from '@emotion/css';
import type { GrafanaTheme2, PanelProps } from '@grafana/data';
import { Box, Stack, useStyles2 } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import type { EndpointOverview, Endpoint } from '@nodebell/contract/endpoint.ts';
import { createQueryClient, explain } from '../../api/queryClient';
import { t } from '../../i18n/t';
import { Avatar } from '../../components/Avatar';
import { packageIcon } from '../../components/icons';
import { PanelError, PanelShell } from '../../components/NotSetUp';
import { linkProps } from '../../components/links';
import { shortName } from '../../components/messages';
import { pathTo } from '../../routes';
import { overviewQuery, useLiveThresholds } from '../../thresholds/queries';
import { readOptions, type ThresholdsPanelOptions } from './options';
import { useId } from 'react';
import { may } from '../../components/access';
import { NotSaved } from '../../thresholds/endpoint/Sign';
import { SwitchOrState } from '../../thresholds/endpoint/EndpointRow';
import { When } from '../../thresholds/endpoint/Threshold';
import { useOptimistic, useSaveEndpoint } from '../../thresholds/useSaving';
import { List } from '../../components/List';

/** Shared by all panels of a dashboard. */
const client = createQueryClient();

/** Further endpoints are left to the page. */
const MOST_ROWS = 50;

/** Dashboard panel: switches and thresholds of packages. */
export function ThresholdsPanel({ options }: PanelProps<ThresholdsPanelOptions>) {
  return (
    <PanelShell client={client}>
      <Thresholds options={readOptions(options)} />
    </PanelShell>
  );
}

function Thresholds({ options }: { options: ThresholdsPanelOptions }) {
  const styles = useStyles2(getStyles);
  const { data, error } = useQuery(overviewQuery());
  const live = useLiveThresholds(error !== null);
  const { packages, left, missing } = selectPackages(data, options);
  return (
    <div className={styles.panel} tabIndex={0} role="region" aria-label={t('panels.thresholds.label', 'Thresholds')}>
      {error && (
        <PanelError
          message={t('panels.thresholds.failed', 'Could not load the thresholds: {{message}}', {
            message: explain(error),
          })}
          onRetry={live.retry}
        />
      )}
      {!data && !error && <p className={styles.note}>{t('panels.note.loading', 'Loading…')}</p>}
      {data && packages.length + missing.length === 0 && (
        <p className={styles.note}>{t('panels.thresholds.none', 'No thresholds to show.')}</p>
      )}
      {packages.map(({ dnpName, icon, enabled, endpoints }) => (
        <section key={dnpName} aria-label={dnpName}>
          <h3 className={styles.name}>
            <a title={dnpName} {...linkProps(pathTo.thresholdsOf(dnpName))}>
              <Avatar icon={packageIcon({ dnpName, icon })} dnpName={dnpName} size={24} />
              <span dir="auto">{shortName(dnpName)}</span>
            </a>
            {!enabled.value && <span className={styles.note}>{t('panels.thresholds.muted', 'muted')}</span>}
          </h3>
          <List>
            {endpoints.map((endpoint) => (
              <PanelRow key={`${endpoint.kind} ${endpoint.correlationId}`} dnpName={dnpName} endpoint={endpoint} />
            ))}
          </List>
        </section>
      ))}
      {missing.map((name) => (
        <p key={name} className={styles.note}>
          {t('panels.thresholds.defines-none', '{{name}} has no thresholds to show.', { name: shortName(name) })}
        </p>
      ))}
      {left > 0 && (
        <p className={styles.note}>
          <a {...linkProps(pathTo.thresholds)}>{moreLabel(left)}</a>
        </p>
      )}
    </div>
  );
}

const moreLabel = (count: number): string =>
  t('panels.thresholds.more', '', {
    count,
    defaultValue_one: '{{count, number}} more endpoint on the Thresholds page',
    defaultValue_other: '{{count, number}} more endpoints on the Thresholds page',
  });

/** The packages to show in the configured order, the number of endpoints left out, and selected packages without endpoints. */
function selectPackages(data: EndpointOverview | undefined, { packages: names, onlySliders }: ThresholdsPanelOptions) {
  const found = (data?.packages ?? []).map((one) => ({
    ...one,
    endpoints: onlySliders ? one.endpoints.filter(({ metric }) => metric !== undefined) : one.endpoints,
  }));
  const wanted = names.length === 0 ? found : names.flatMap((name) => found.filter((one) => one.dnpName === name));
  const all = wanted.filter(({ endpoints }) => endpoints.length > 0);
  let room = MOST_ROWS;
  const packages = all.flatMap((one) => {
    const endpoints = one.endpoints.slice(0, Math.max(0, room));
    room -= one.endpoints.length;
    return endpoints.length > 0 ? [{ ...one, endpoints }] : [];
  });
  const missing = data ? names.filter((name) => !all.some(({ dnpName }) => dnpName === name)) : [];
  return { packages, left: Math.max(0, -room), missing };
}

const getStyles = (theme: GrafanaTheme2) => ({
  panel: css({
    height: '100%',
    overflowY: 'auto',
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(1.5),
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}` },
  }),
  note: css({
    margin: 0,
    fontSize: theme.typography.bodySmall.fontSize,
    color: theme.colors.text.secondary,
    overflowWrap: 'anywhere',
    a: { textDecoration: 'underline' },
  }),
  name: css({
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    margin: 0,
    fontSize: theme.typography.body.fontSize,
    fontWeight: theme.typography.fontWeightMedium,
    '& > a': { display: 'flex', alignItems: 'center', gap: theme.spacing(1), minWidth: 0 },
    '& > a > span:last-child': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
    '& > a:hover': { textDecoration: 'underline' },
  }),
});

/** One endpoint, without the description and sync state that the page shows. */
function PanelRow({ dnpName, endpoint }: { dnpName: string; endpoint: Endpoint }) {
  const styles = useStyles2(getPanelRowStyles);
  const id = useId();
  const { title, enabled, mutedBy } = endpoint;
  const { shown: on, set, failure } = useOptimistic(enabled.value);
  const saveEndpoint = useSaveEndpoint(dnpName, endpoint.correlationId);
  const save = may('thresholds:write') ? saveEndpoint : undefined;
  const mutedAbove = mutedBy.includes('package') || mutedBy.includes('category');
  return (
    <li className={styles.row} aria-labelledby={id} data-endpoint={endpoint.correlationId}>
      <Stack alignItems="center" justifyContent="space-between">
        <span id={id} className={styles.title} dir="auto" title={title}>
          {title}
        </span>
        <Box shrink={0}>
          <SwitchOrState
            label={t('thresholds.switch.notify-of', 'Notify about {{title}}', { title })}
            shown={on}
            disabled={mutedAbove || enabled.origin === 'provisioned'}
            onSwitch={save && ((next) => set(next, () => save({ enabled: next })))}
          />
        </Box>
      </Stack>
      <When endpoint={endpoint} save={save} disabled={!on || mutedAbove} />
      {failure && <NotSaved failure={failure} />}
    </li>
  );
}

const getPanelRowStyles = (theme: GrafanaTheme2) => ({
  row: css({
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(0.5),
    minWidth: 0,
    padding: theme.spacing(1, 0),
    '&:not(:last-child)': { borderBottom: `1px solid ${theme.colors.border.weak}` },
  }),
  title: css({ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }),
});
