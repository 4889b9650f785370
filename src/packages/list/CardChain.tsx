import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import type { ChainNode } from '@nodebell/contract/chain.ts';
import { useBridgeNow } from '../../chains/clock';
import { useNode } from '../../chains/LiveChains';
import { ProgressBar } from '../../chains/ProgressBar';
import { isStale, signOf, stateLabel } from '../../chains/messages';
import { formatNumber } from '../../i18n/locale';
import { StateText } from '../../components/StateText';

/** The node of a package, where its state can be told. */
export function useShownNode(dnpName: string): ChainNode | undefined {
  const node = useNode(dnpName);
  return node?.state === 'unsupported' || node?.state === 'unconfigured' ? undefined : node;
}

/** How far the node of a package has synced, in two lines. */
export function CardChain({ node }: { node: ChainNode }) {
  const styles = useStyles2(getStyles);
  const now = useBridgeNow();
  return (
    <div className={styles.chain}>
      <div className={styles.line}>
        <StateText {...signOf(node)} text={stateLabel(node, now)} />
        <span className={styles.block}>
          {isStale(node) || node.current === undefined ? '' : formatNumber(node.current)}
        </span>
      </div>
      {!isStale(node) && <ProgressBar node={node} />}
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  chain: css({ display: 'flex', flexDirection: 'column', gap: 2, height: 26, marginTop: theme.spacing(1) }),
  line: css({
    display: 'flex',
    alignItems: 'center',
    height: 18,
    justifyContent: 'space-between',
    gap: theme.spacing(1),
  }),
  block: css({
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
    fontVariantNumeric: 'tabular-nums',
  }),
});
