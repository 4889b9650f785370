import { css } from '@emotion/css';
import { Box, Icon, type IconName, Stack, Text } from '@grafana/ui';
import { memo } from 'react';
import { t } from '../../i18n/t';
import type { ExternalRule, RulerRules } from './external';
import { ruleCount, ruleDetails, ruleError } from './messages';
import { urlSegment } from '@nodebell/contract/url.ts';
import { SecondaryText } from '../../components/SecondaryText';
import { Bordered } from '../../components/Bordered';
import { PageLink } from '../../components/PageLink';

/** Title of a folder or data source. */
export const RulesHead = ({ icon, name, count }: { icon: IconName; name: string; count: number | undefined }) => (
  <Text element="h2" variant="h5">
    <Box element="span" display="flex" alignItems="center" gap={1} paddingY={1}>
      <Icon name={icon} /> <span dir="auto">{name}</span>
      {count !== undefined && <SecondaryText>{ruleCount(count)}</SecondaryText>}
    </Box>
  </Text>
);

/** A data source, and why its rules are only shown. */
export const RulerHead = ({ of: { ruler, rules, error } }: { of: RulerRules }) => (
  <Box paddingTop={1} paddingBottom={1}>
    <RulesHead icon="database" name={ruler.name} count={error ? undefined : rules.length} />
    <SecondaryText element="p">
      {error
        ? t('thresholds.rules.external.failed', 'Could not load these rules: {{why}}', { why: ruleError(error) })
        : t(
            'thresholds.rules.external.read-only',
            'Read-only: the data source evaluates these rules, and their thresholds are part of a query.'
          )}
    </SecondaryText>
  </Box>
);

/** A rule of a data source, with its query and a link to Grafana's page of it. */
export const ExternalRow = memo(function ExternalRow({ source, rule }: { source: string; rule: ExternalRule }) {
  const { title, query, file } = rule;
  const href = `/alerting/${urlSegment(source)}/${urlSegment(title)}/find`;
  return (
    <Bordered marginBottom={0.5} paddingX={2} paddingY={1}>
      <Stack direction="column" gap={0.25} alignItems="flex-start">
        <Text element="h3" variant="body">
          <PageLink dir="auto" href={href}>
            {title}
          </PageLink>
        </Text>
        <code className={wrapping} dir="ltr">
          {query}
        </code>
        <SecondaryText>{[ruleDetails(rule), file].filter(Boolean).join(' · ')}</SecondaryText>
      </Stack>
    </Bordered>
  );
});

const wrapping = css({ maxWidth: '100%', whiteSpace: 'pre-wrap' });
