import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { IconButton, useStyles2 } from '@grafana/ui';
import { memo, useId, useState, type ReactNode } from 'react';
import type { ChainNode } from '@nodebell/contract/chain.ts';
import { t } from '../../i18n/t';
import { BehindHistory } from '../BehindHistory';
import { NodeBehind, NodeMenu, NodeName, NodePeers, NodeProgress, NodeState, Nothing } from '../cells';
import { timeLeftLabel, formatRate, unitOf } from '../messages';
import { List } from '../../components/List';

interface Props {
  nodes: ChainNode[];
  narrow: boolean;
  /** Whether the bridge can serve the history of blocks behind. */
  history: boolean;
}

/** The nodes on narrow screens; further details expand. */
export function ChainList({ nodes, narrow, history }: Props) {
  return (
    <List aria-label={t('chains.list.label', 'Nodes')}>
      {nodes.map((node) => (
        <Item key={node.dnpName} node={node} narrow={narrow} history={history} />
      ))}
    </List>
  );
}

const Item = memo(function Item({ node, narrow, history }: Omit<Props, 'nodes'> & { node: ChainNode }) {
  const styles = useStyles2(getStyles);
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <li className={styles.item} data-node={node.dnpName} data-state={node.state}>
      <div className={narrow ? styles.stacked : styles.line}>
        <NodeName node={node} />
        <NodeState node={node} />
        {(!narrow || node.current !== undefined) && <NodeProgress node={node} />}
      </div>
      <div className={styles.actions}>
        <IconButton
          name={open ? 'angle-up' : 'angle-down'}
          aria-label={t('chains.list.figures-of', 'Details for {{name}}', { name: node.name })}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        />
        <NodeMenu node={node} />
      </div>
      {/* Rendered while collapsed as well, so that aria-controls has a target. */}
      <dl id={id} hidden={!open} className={styles.figures}>
        {open && <Figures node={node} history={history} />}
      </dl>
    </li>
  );
});

function Figures({ node, history }: { node: ChainNode; history: boolean }) {
  const unit = unitOf(node);
  return (
    <>
      <Figure
        name={
          unit === 'slot'
            ? t('chains.column.slots-behind', 'Slots behind')
            : t('chains.column.blocks-behind', 'Blocks behind')
        }
      >
        <NodeBehind node={node} />
        {history && <BehindHistory node={node} />}
      </Figure>
      <Figure name={t('chains.column.left', 'Time left')}>{timeLeftLabel(node) ?? <Nothing />}</Figure>
      <Figure name={t('chains.column.rate', 'Rate')}>{formatRate(node) ?? <Nothing />}</Figure>
      <Figure name={t('chains.column.peers', 'Peers')}>
        <NodePeers node={node} />
      </Figure>
      <Figure name={t('chains.column.version', 'Version')}>
        {node.version ?? node.upstreamVersion ?? <Nothing />}
      </Figure>
      <Figure name={t('chains.column.package', 'Package')}>{node.dnpName}</Figure>
    </>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  item: css({
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    gap: theme.spacing(1, 1.5),
    padding: theme.spacing(1.5, 0),
    borderTop: `1px solid ${theme.colors.border.weak}`,
  }),
  line: css({
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 4fr) minmax(0, 5fr) minmax(0, 4fr)',
    gap: theme.spacing(2),
    alignItems: 'center',
  }),
  stacked: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1) }),
  actions: css({
    display: 'flex',
    alignItems: 'flex-start',
    gap: theme.spacing(1),
    '& > *': { margin: 0, padding: 8 },
  }),
  figures: css({
    gridColumn: '1 / -1',
    '&:not([hidden])': { display: 'grid' },
    gridTemplateColumns: '112px minmax(0, 1fr)',
    gap: theme.spacing(0.5, 2),
    margin: 0,
    fontVariantNumeric: 'tabular-nums',
    dt: { color: theme.colors.text.secondary },
    dd: { margin: 0, overflowWrap: 'anywhere' },
  }),
});
