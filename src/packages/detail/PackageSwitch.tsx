import { Box, Stack } from '@grafana/ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { EndpointSwitch } from '@nodebell/contract/endpoint.ts';
import { useBridgeEvents } from '../../api/EventsProvider';
import { may } from '../../api/permissions';
import { t } from '../../i18n/t';
import { SwitchOrState } from '../../thresholds/endpoint/EndpointRow';
import { NotSaved, Problem, Sign } from '../../thresholds/endpoint/Sign';
import { originMessage } from '../../thresholds/messages';
import { packageQuery } from '../../thresholds/queries';
import { useOptimistic, useSavePackage } from '../../thresholds/useSaving';

/** Mutes and unmutes a package, whether it has endpoints or not. */
export function PackageSwitch({ dnpName }: { dnpName: string }) {
  const client = useQueryClient();
  const query = packageQuery(dnpName);
  const { data, error } = useQuery(query);
  useBridgeEvents((event) => {
    if (event.type === 'settings' || event.type === 'reset') {
      void client.invalidateQueries({ queryKey: query.queryKey });
    }
  });
  if (data) {
    return <Loaded dnpName={dnpName} enabled={data.enabled} />;
  }
  return (
    error && (
      <Problem>
        {t('panels.thresholds.failed', 'Could not load the thresholds: {{message}}', { message: error.message })}
      </Problem>
    )
  );
}

function Loaded({ dnpName, enabled }: { dnpName: string; enabled: EndpointSwitch }) {
  const { shown, set, failure } = useOptimistic(enabled.value);
  const save = useSavePackage(dnpName);
  const label = t('thresholds.card.notifications-of', 'Notifications from {{name}}', { name: dnpName });
  return (
    <div>
      <Stack alignItems="center" minWidth={0}>
        <SwitchOrState
          label={label}
          shown={shown}
          disabled={enabled.origin === 'provisioned'}
          onSwitch={may('thresholds:write') ? (next) => set(next, () => save({ enabled: next })) : undefined}
        />
        <Box element="span" minWidth={0} dir="auto" aria-hidden>
          {label}
        </Box>
      </Stack>
      {enabled.origin === 'provisioned' && <Sign icon="lock" tone="secondary" text={originMessage(enabled) ?? ''} />}
      {failure && <NotSaved failure={failure} />}
    </div>
  );
}
