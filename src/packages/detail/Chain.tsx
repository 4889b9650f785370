import { Stack, TextLink } from '@grafana/ui';
import type { ChainNode } from '@nodebell/contract/chain.ts';
import type { PackageDetail } from '@nodebell/contract/package.ts';
import { NodeState } from '../../chains/cells';
import { useBridgeNow, LiveChains, useNode } from '../../chains/LiveChains';
import { ProgressBar } from '../../chains/ProgressBar';
import { heightLabel, isStale, timeLeftLabel, formatPeers, formatRate } from '../../chains/messages';
import { uncapitalised } from '../../i18n/locale';
import { t } from '../../i18n/t';
import { pathTo } from '../../routes';
import { Line, Section } from './Section';
import { SecondaryText } from '../../components/SecondaryText';
import { List } from '../../components/List';
import { Bordered } from '../../components/Bordered';

type Chain = NonNullable<PackageDetail['chain']>;

/** The package's node and its sync progress. */
export function ChainSection({ dnpName, chain }: { dnpName: string; chain: Chain }) {
  const { service, port } = chain;
  const place = [
    service && t('packages.place.service', 'service {{service}}', { service }),
    port !== undefined && t('packages.place.port', 'port {{port}}', { port }),
  ];
  return (
    <Section title={t('packages.chain.title', 'Chain')}>
      {chain.supported ? (
        <LiveChains>
          <Node dnpName={dnpName} />
        </LiveChains>
      ) : (
        <List divided>
          <Line
            title={t('packages.chain.unsupported', '{{driver}} node', { driver: chain.driver })}
            text={t('packages.chain.unsupported-text', 'Sync progress is not supported for this driver.')}
            end={place.filter(Boolean).join(', ')}
          />
        </List>
      )}
    </Section>
  );
}

function Node({ dnpName }: { dnpName: string }) {
  const node = useNode(dnpName);
  const now = useBridgeNow();
  if (node === undefined) {
    return <SecondaryText>{t('packages.chain.unknown', 'No data yet.')}</SecondaryText>;
  }
  return (
    <Bordered padding={2}>
      <Stack direction="column">
        <Stack rowGap={1} columnGap={2} wrap justifyContent="space-between">
          <NodeState node={node} />
          <SecondaryText element="p" tabular>
            {figures(node, now)}
          </SecondaryText>
        </Stack>
        {!isStale(node) && <ProgressBar node={node} />}
        <TextLink href={pathTo.chains} inline={false} variant="bodySmall">
          {t('packages.chain.all', 'All chains')}
        </TextLink>
      </Stack>
    </Bordered>
  );
}

const figures = (node: ChainNode, now: number): string =>
  [
    heightLabel(node, now),
    !isStale(node) && node.peers !== undefined && formatPeers(node.peers),
    formatRate(node),
    timeLeftLabel(node) &&
      t('packages.chain.left', 'time left: {{time}}', { time: uncapitalised(timeLeftLabel(node) ?? '') }),
  ]
    .filter(Boolean)
    .join(', ');
