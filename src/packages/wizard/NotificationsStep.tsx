import { css } from '@emotion/css';
import { Box, InlineSwitch, Stack, Text } from '@grafana/ui';
import type { Endpoint, PackageSettings } from '@nodebell/contract/endpoint.ts';
import { t } from '../../i18n/t';
import { addToDraft, withDraft } from '../../thresholds/draft';
import { EndpointRow } from '../../thresholds/endpoint/EndpointRow';
import type { Wizard } from './useWizard';
import { List } from '../../components/List';
import { Bordered } from '../../components/Bordered';

/** Settings for the notifications that the package defines, applied on registration. */
export function NotificationsStep({ wizard }: { wizard: Wizard }) {
  const { preview, settings } = wizard.draft;
  const endpoints = preview?.endpoints ?? [];
  const packageOn = settings.enabled ?? !endpoints.some(({ mutedBy }) => mutedBy.includes('package'));
  return (
    <div className={column}>
      <Box marginBottom={2}>
        <Stack wrap alignItems="center" justifyContent="space-between" rowGap={1} columnGap={3}>
          <Box flex="1 1 320px" maxWidth="640px">
            <Text element="p" color="secondary">
              {t(
                'packages.settings.text',
                'Choose which notifications to receive and set their thresholds. Settings are saved on registration and kept on update. You can change them on the Thresholds page.'
              )}
            </Text>
          </Box>
          <InlineSwitch
            label={t('packages.settings.notify', 'Notify')}
            showLabel
            value={packageOn}
            onChange={({ currentTarget }) => wizard.setSettings({ ...settings, enabled: currentTarget.checked })}
          />
        </Stack>
      </Box>
      <Bordered>
        <List aria-label={t('packages.endpoint.list', 'Endpoints')}>
          {endpoints.map((endpoint) => (
            <EndpointRow
              key={`${endpoint.kind} ${endpoint.correlationId}`}
              endpoint={withDraft(endpoint, settings)}
              explained={!packageOn}
              save={(patch) => save(wizard, settings, endpoint, patch)}
            />
          ))}
        </List>
      </Bordered>
    </div>
  );
}

/** Local state only: nothing is sent before registration. */
function save(wizard: Wizard, settings: PackageSettings, endpoint: Endpoint, patch: Parameters<typeof addToDraft>[2]) {
  wizard.setSettings(addToDraft(settings, endpoint, patch));
  return Promise.resolve();
}

const column = css({
  maxWidth: 960,
  container: 'thresholds / inline-size',
  'li:first-child': { borderTop: 'none' },
});
