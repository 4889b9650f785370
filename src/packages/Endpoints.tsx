import { Box, Stack, Text } from '@grafana/ui';
import type { PackageEndpoint } from '@nodebell/contract/package.ts';
import { t, Trans } from '../i18n/t';
import { StateText } from '../components/StateText';
import { AuthorMarkdown } from '../components/AuthorMarkdown';
import { endpointFacts } from './messages';
import { List } from '../components/List';
import { SecondaryText } from '../components/SecondaryText';

/** The notification endpoints that a package defines, with their defaults. */
export function Endpoints({ endpoints }: { endpoints: readonly PackageEndpoint[] }) {
  return (
    <List divided aria-label={t('packages.endpoint.list', 'Endpoints')}>
      {endpoints.map((one) => (
        <Box key={`${one.kind} ${one.correlationId}`} element="li" display="flex" direction="column" gap={0.5}>
          <Stack rowGap={0} columnGap={2} wrap justifyContent="space-between" dir="auto">
            <Text weight="medium">{one.title}</Text>
            <StateText
              icon={one.enabled ? 'bell' : 'bell-slash'}
              tone="secondary"
              text={
                one.enabled
                  ? t('packages.endpoint.on', 'Enabled by default')
                  : t('packages.endpoint.off', 'Disabled by default')
              }
            />
          </Stack>
          {one.description && <AuthorMarkdown text={one.description} />}
          <Stack wrap rowGap={0.5} columnGap={2}>
            {one.condition !== undefined && (
              <SecondaryText>
                <Trans i18nKey="packages.endpoint.healthy" values={{ condition: one.condition }}>
                  healthy while <code>{'{{condition}}'}</code>
                </Trans>
              </SecondaryText>
            )}
            {endpointFacts(one).map((fact) => (
              <SecondaryText key={fact}>{fact}</SecondaryText>
            ))}
          </Stack>
        </Box>
      ))}
    </List>
  );
}
