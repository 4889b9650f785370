import type { PanelProps } from '@grafana/data';
import { Box, Stack, Text } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import type { EndpointOverview, Endpoint } from '@nodebell/contract/endpoint.ts';
import { explain } from '../../api/queryClient';
import { t } from '../../i18n/t';
import { packageIcon } from '../../components/icons';
import { PageLink } from '../../components/PageLink';
import { PanelContent, PanelShell } from '../../components/Panel';
import { AvatarLink } from '../../components/AvatarLink';
import { shortName } from '../../components/messages';
import { pathTo } from '../../routes';
import { overviewQuery, useLiveThresholds } from '../../thresholds/queries';
import { readOptions, type ThresholdsPanelOptions } from './options';
import { useId } from 'react';
import { may } from '../../api/permissions';
import { NotSaved } from '../../thresholds/endpoint/Sign';
import { SwitchOrState } from '../../thresholds/endpoint/EndpointRow';
import { When } from '../../thresholds/endpoint/Threshold';
import { useOptimistic, useSaveEndpoint } from '../../thresholds/useSaving';
import { List } from '../../components/List';
import { SecondaryText } from '../../components/SecondaryText';

/** Further endpoints are left to the page. */
const MOST_ROWS = 50;

/** Dashboard panel: switches and thresholds of packages. */
export function ThresholdsPanel({ options }: PanelProps<ThresholdsPanelOptions>) {
  return (
    <PanelShell>
      <Thresholds options={readOptions(options)} />
    </PanelShell>
  );
}

function Thresholds({ options }: { options: ThresholdsPanelOptions }) {
  const { data, error } = useQuery(overviewQuery());
  const live = useLiveThresholds(error !== null);
  const { packages, left, missing } = selectPackages(data, options);
  return (
    <PanelContent
      label={t('panels.thresholds.label', 'Thresholds')}
      error={
        error &&
        t('panels.thresholds.failed', 'Could not load the thresholds: {{message}}', { message: explain(error) })
      }
      onRetry={live.retry}
      loading={!data && !error}
      empty={
        data && packages.length + missing.length === 0
          ? t('panels.thresholds.none', 'No thresholds to show.')
          : undefined
      }
    >
      <Stack direction="column" gap={1.5}>
        {packages.map(({ dnpName, icon, enabled, endpoints }) => (
          <section key={dnpName} aria-label={dnpName}>
            <Stack alignItems="center">
              <Text element="h3" variant="h6">
                <AvatarLink
                  icon={packageIcon({ dnpName, icon })}
                  dnpName={dnpName}
                  href={pathTo.thresholdsOf(dnpName)}
                  title={dnpName}
                >
                  {shortName(dnpName)}
                </AvatarLink>
              </Text>
              {!enabled.value && <SecondaryText>{t('panels.thresholds.muted', 'muted')}</SecondaryText>}
            </Stack>
            <List divided>
              {endpoints.map((endpoint) => (
                <PanelRow key={`${endpoint.kind} ${endpoint.correlationId}`} dnpName={dnpName} endpoint={endpoint} />
              ))}
            </List>
          </section>
        ))}
        {missing.map((name) => (
          <SecondaryText key={name} element="p">
            {t('panels.thresholds.defines-none', '{{name}} has no thresholds to show.', { name: shortName(name) })}
          </SecondaryText>
        ))}
        {left > 0 && (
          <SecondaryText element="p">
            <PageLink href={pathTo.thresholds}>{moreLabel(left)}</PageLink>
          </SecondaryText>
        )}
      </Stack>
    </PanelContent>
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

/** One endpoint, without the description and sync state that the page shows. */
function PanelRow({ dnpName, endpoint }: { dnpName: string; endpoint: Endpoint }) {
  const id = useId();
  const { title, enabled, mutedBy } = endpoint;
  const { shown: on, set, failure } = useOptimistic(enabled.value);
  const saveEndpoint = useSaveEndpoint(dnpName, endpoint.correlationId);
  const save = may('thresholds:write') ? saveEndpoint : undefined;
  const mutedAbove = mutedBy.includes('package') || mutedBy.includes('category');
  return (
    <Box
      element="li"
      display="flex"
      direction="column"
      gap={0.5}
      minWidth={0}
      aria-labelledby={id}
      data-endpoint={endpoint.correlationId}
    >
      <Stack alignItems="center" justifyContent="space-between">
        <Text id={id} truncate dir="auto" title={title}>
          {title}
        </Text>
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
    </Box>
  );
}
