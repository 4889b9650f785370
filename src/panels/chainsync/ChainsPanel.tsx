import { css } from '@emotion/css';
import type { GrafanaTheme2, PanelProps } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import type { ChainNode } from '@nodebell/contract/chain.ts';
import { explain } from '../../api/queryClient';
import { ChainClock } from '../../chains/LiveChains';
import { sortNodes } from '../../chains/order';
import { chainsQuery, useLiveChains } from '../../chains/queries';
import { t } from '../../i18n/t';
import { PanelContent, PanelShell } from '../../components/Panel';
import { shortName } from '../../components/messages';
import { readOptions, type ChainsPanelOptions } from './options';
import { Row, Tile } from './Node';
import { SecondaryText } from '../../components/SecondaryText';

/** Dashboard panel: sync status of nodes. */
export function ChainsPanel({ options, width }: PanelProps<ChainsPanelOptions>) {
  return (
    <PanelShell>
      <Nodes options={readOptions(options)} width={width} />
    </PanelShell>
  );
}

interface Props {
  options: ChainsPanelOptions;
  /** Inner width of the panel, in pixels. */
  width: number;
}

function Nodes({ options, width }: Props) {
  const styles = useStyles2(getStyles);
  const { data, error } = useQuery(chainsQuery());
  const live = useLiveChains(error !== null);
  const { packages, layout } = options;
  const shown = data && selectNodes(data.nodes, packages);
  const missing = data ? packages.filter((name) => !data.nodes.some(({ dnpName }) => dnpName === name)) : [];
  const nothing = shown?.length === 0 && missing.length === 0;
  return (
    <PanelContent
      label={t('panels.chains.label', 'Chains')}
      error={
        error &&
        (data
          ? t('panels.note.stale', 'Stale data, the last update failed: {{message}}', { message: explain(error) })
          : t('panels.chains.failed', 'Could not load the nodes: {{message}}', { message: explain(error) }))
      }
      onRetry={live.retry}
      loading={!data && !error}
      empty={nothing ? t('panels.chains.none', 'No nodes are monitored.') : undefined}
    >
      {shown && data && (
        <ChainClock clockOffset={data.clockOffset} nodes={shown.length}>
          <ul className={layout === 'tiles' ? styles.tiles : styles.list}>
            {shown.map((node) =>
              layout === 'tiles' ? (
                <Tile key={node.dnpName} node={node} options={options} />
              ) : (
                <Row key={node.dnpName} node={node} options={options} width={width} />
              )
            )}
          </ul>
        </ChainClock>
      )}
      {missing.map((name) => (
        <SecondaryText key={name} element="p">
          {t('panels.chains.not-watched', '{{name}} is not a monitored node.', { name: shortName(name) })}
        </SecondaryText>
      ))}
    </PanelContent>
  );
}

/** The selected nodes in the configured order, or all nodes with the worst first. */
const selectNodes = (nodes: ChainNode[], packages: string[]): ChainNode[] =>
  packages.length === 0
    ? sortNodes(nodes)
    : packages.flatMap((name) => nodes.find(({ dnpName }) => dnpName === name) ?? []);

const getStyles = (theme: GrafanaTheme2) => ({
  list: css({ listStyle: 'none' }),
  tiles: css({
    listStyle: 'none',
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(160px, 100%), 1fr))',
    gap: theme.spacing(1),
  }),
});
