import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { TextLink, useStyles2 } from '@grafana/ui';
import type { ChainNode } from '@nodebell/contract/chain.ts';
import type { PackageDetail } from '@nodebell/contract/package.ts';
import { NodeState } from '../../chains/cells';
import { useBridgeNow, LiveChains, useNode } from '../../chains/LiveChains';
import { ProgressBar } from '../../chains/ProgressBar';
import { heightLabel, isStale, timeLeftLabel, formatPeers, formatRate } from '../../chains/messages';
import { uncapitalised } from '../../i18n/locale';
import { t } from '../../i18n/t';
import { pathTo } from '../../routes';
import { Line, lineList, Section } from './Section';

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
        <ul className={lineList}>
          <Line
            title={t('packages.chain.unsupported', '{{driver}} node', { driver: chain.driver })}
            text={t('packages.chain.unsupported-text', 'Sync progress is not supported for this driver.')}
            end={place.filter(Boolean).join(', ')}
          />
        </ul>
      )}
    </Section>
  );
}

function Node({ dnpName }: { dnpName: string }) {
  const styles = useStyles2(getStyles);
  const node = useNode(dnpName);
  const now = useBridgeNow();
  if (node === undefined) {
    return <p className={styles.quiet}>{t('packages.chain.unknown', 'No data yet.')}</p>;
  }
  return (
    <div className={styles.box}>
      <div className={styles.line}>
        <NodeState node={node} />
        <div className={styles.quiet}>{figures(node, now)}</div>
      </div>
      {!isStale(node) && <ProgressBar node={node} />}
      <TextLink href={pathTo.chains} inline={false} variant="bodySmall">
        {t('packages.chain.all', 'All chains')}
      </TextLink>
    </div>
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

const getStyles = (theme: GrafanaTheme2) => ({
  box: css({
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(1),
    padding: theme.spacing(2),
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
    background: theme.colors.background.canvas,
  }),
  line: css({ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: theme.spacing(1, 2) }),
  quiet: css({
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
    fontVariantNumeric: 'tabular-nums',
  }),
});
