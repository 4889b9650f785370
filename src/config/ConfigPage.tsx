import type { AppPluginMeta, PluginConfigPageProps } from '@grafana/data';
import { Box, Stack } from '@grafana/ui';
import { QueryClientProvider } from '@tanstack/react-query';
import type { BridgeStatus } from '@nodebell/contract/status.ts';
import { useState } from 'react';
import { createQueryClient } from '../api/queryClient';
import { saveSettings, type BridgeSettings } from '../api/settings';
import { t, Trans } from '../i18n/t';
import { curlLine } from '../components/curlLine';
import { may } from '../api/permissions';
import { linkProps } from '../components/links';
import { pathTo } from '../routes';
import { AuditSection } from './access/AuditSection';
import { TokensSection } from './access/TokensSection';
import { BridgeForm, type Entered } from './BridgeForm';
import { Code } from './Code';
import { ConnectionResult } from './ConnectionResult';
import { Health } from './Health';
import { RetentionSection } from './retention/RetentionSection';
import { Section } from './Section';
import { StoreBackup } from './StoreBackup';
import { contactPoint } from './snippets';
import { useConnection } from './testConnection';
import { BreakWords } from '../components/BreakWords';

/** Configuration page: bridge connection, health and examples for senders. */
export default function ConfigPage({ plugin: { meta } }: PluginConfigPageProps<AppPluginMeta<BridgeSettings>>) {
  const { saved, client, saving, failure, save } = useSettings(meta);
  const { result, reachedUrl, testing, test } = useConnection({ ...saved, version: meta.info.version });
  const bridgeUrl = saved.bridgeUrl || undefined;
  const testSaved = (settings: Saved) => void test({ ...settings, version: meta.info.version });

  return (
    <BreakWords>
      <Stack direction="column" gap={4} maxWidth="760px">
        <Section
          title={t('config.bridge.title', 'Bridge')}
          text={t(
            'config.bridge.text',
            'Requests to the bridge go through the Grafana server, not the browser. If a file in provisioning/plugins configures this app, it overwrites these settings each time Grafana starts.'
          )}
        >
          <BridgeForm
            {...saved}
            busy={saving ? 'saving' : testing ? 'testing' : undefined}
            failure={failure}
            onSave={(entered) => save(entered, testSaved)}
            onTest={() => testSaved(saved)}
          />
          {result && (
            <Box marginTop={2} aria-busy={testing}>
              <ConnectionResult diagnosis={result.diagnosis} />
            </Box>
          )}
        </Section>
        {result?.status && <HealthSections status={result.status} />}
        {reachedUrl === bridgeUrl && bridgeUrl && may('bridge:admin') && (
          <QueryClientProvider key={bridgeUrl} client={client}>
            <RetentionSection />
            <TokensSection />
            <AuditSection />
          </QueryClientProvider>
        )}
        <Examples bridgeUrl={bridgeUrl} status={result?.status} />
      </Stack>
    </BreakWords>
  );
}

interface Saved {
  bridgeUrl: string;
  tokenSet: boolean;
}

/** The settings, and the query cache of the bridge that they name. */
function useSettings(meta: AppPluginMeta<BridgeSettings>) {
  const [saved, setSaved] = useState<Saved>({
    bridgeUrl: meta.jsonData?.bridgeUrl ?? '',
    tokenSet: meta.secureJsonFields?.['bridgeToken'] === true,
  });
  const [client, setClient] = useState(createQueryClient);
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<string>();

  /** @returns whether they were saved */
  const save = async ({ bridgeUrl, bridgeToken }: Entered, onSaved: (now: Saved) => void): Promise<boolean> => {
    setSaving(true);
    setFailure(undefined);
    try {
      await saveSettings({
        enabled: meta.enabled ?? true,
        pinned: meta.pinned ?? true,
        jsonData: { ...meta.jsonData, bridgeUrl },
        ...(bridgeToken !== undefined && { bridgeToken }),
      });
      const now = { bridgeUrl, tokenSet: saved.tokenSet || bridgeToken !== undefined };
      setSaved(now);
      // The cache belongs to the previous bridge.
      setClient(createQueryClient());
      onSaved(now);
      return true;
    } catch (thrown) {
      setFailure(refusal(thrown));
      return false;
    } finally {
      setSaving(false);
    }
  };
  return { saved, client, saving, failure, save };
}

function HealthSections({ status }: { status: BridgeStatus }) {
  return (
    <>
      <Section
        title={t('config.health.title', 'Health')}
        text={
          <Trans i18nKey="config.health.text">
            Status reported by the last connection test. Received notifications are in the{' '}
            <a {...linkProps(pathTo.inbox)}>inbox</a>.
          </Trans>
        }
      >
        <Health status={status} />
      </Section>
      <StoreBackup status={status} />
    </>
  );
}

/** Examples for senders. */
function Examples({ bridgeUrl, status }: { bridgeUrl: string | undefined; status: BridgeStatus | undefined }) {
  return (
    <>
      <Section
        title={t('config.send.title', 'Send a test notification')}
        text={t(
          'config.send.text',
          'Packages and scripts send notifications to this endpoint. The notification appears in the inbox immediately.'
        )}
      >
        <Code label={t('config.send.code', 'Shell command')} text={curlLine(bridgeUrl, status)} />
      </Section>
      <Section
        title={t('config.contact-point.title', 'Grafana contact point')}
        text={
          <Trans i18nKey="config.contact-point.text">
            Save this file to <code>provisioning/alerting</code>, or create the contact point{' '}
            <a {...linkProps('/alerting/notifications')}>in Alerting</a>.
          </Trans>
        }
      >
        <Code label={t('config.contact-point.code', 'Contact point')} text={contactPoint(bridgeUrl, status)} />
      </Section>
    </>
  );
}

/** Message for an error from Grafana. */
function refusal(thrown: unknown): string {
  const { status, data } = (thrown ?? {}) as { status?: number; data?: { message?: string } };
  if (status === 403) {
    return t('config.refusal.permission', 'You do not have permission to configure plugins. Ask a Grafana admin.');
  }
  return data?.message
    ? t('config.refusal.message', 'Grafana returned: {{message}}', { message: data.message })
    : t('config.refusal.unreachable', 'Grafana is not responding.');
}
