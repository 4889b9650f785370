import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { memo } from 'react';
import type { ChainNode } from '@nodebell/contract/chain.ts';
import { t } from '../../i18n/t';
import { BehindHistory } from '../BehindHistory';
import { NodeBehind, NodeMenu, NodeName, NodePeers, NodeProgress, NodeState, Nothing } from '../cells';
import { timeLeftLabel, formatRate } from '../messages';
import { SecondaryText } from '../../components/SecondaryText';

/** The nodes on wide screens. Column widths are fixed, so that changing values do not shift the layout. */
export function ChainTable({ nodes, history }: { nodes: ChainNode[]; history: boolean }) {
  const styles = useStyles2(getStyles);
  return (
    <table className={styles.table} aria-label={t('chains.list.label', 'Nodes')}>
      <thead>
        <tr>
          <th scope="col" className={styles.node}>
            {t('chains.column.node', 'Node')}
          </th>
          <th scope="col">{t('chains.column.state', 'State')}</th>
          <th scope="col" className={styles.progress}>
            {t('chains.column.progress', 'Progress')}
          </th>
          <th scope="col" className={styles.behind}>
            {t('chains.column.behind', 'Behind')}
          </th>
          <th scope="col" className={styles.left}>
            {t('chains.column.left-rate', 'Time left, rate')}
          </th>
          <th scope="col" className={styles.peers}>
            {t('chains.column.peers', 'Peers')}
          </th>
          <th scope="col" className={styles.menu} aria-label={t('chains.column.links', 'Links')} />
        </tr>
      </thead>
      <tbody>
        {nodes.map((node) => (
          <Row key={node.dnpName} node={node} history={history} />
        ))}
      </tbody>
    </table>
  );
}

/** Unchanged nodes keep their object identity, so only changed rows rerender. */
const Row = memo(function Row({ node, history }: { node: ChainNode; history: boolean }) {
  const styles = useStyles2(getStyles);
  return (
    <tr data-node={node.dnpName} data-state={node.state}>
      <th scope="row">
        <NodeName node={node} />
      </th>
      <td>
        <NodeState node={node} />
      </td>
      <td>
        <NodeProgress node={node} />
      </td>
      <td className={styles.number}>
        <NodeBehind node={node} />
        {history && <BehindHistory node={node} />}
      </td>
      <td className={styles.left}>
        <TimeLeft node={node} />
      </td>
      <td className={styles.number}>
        <NodePeers node={node} />
      </td>
      <td>
        <NodeMenu node={node} />
      </td>
    </tr>
  );
});

function TimeLeft({ node }: { node: ChainNode }) {
  const left = timeLeftLabel(node);
  const rate = formatRate(node);
  return left || rate ? (
    <>
      {left && <div>{left}</div>}
      {rate && (
        <SecondaryText element="p" tabular>
          {rate}
        </SecondaryText>
      )}
    </>
  ) : (
    <Nothing />
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  table: css({
    width: '100%',
    overflowWrap: 'normal',
    tableLayout: 'fixed',
    borderCollapse: 'collapse',
    'th, td': { padding: theme.spacing(1), textAlign: 'left', verticalAlign: 'middle', fontWeight: 'inherit' },
    'thead th': { height: 44, fontWeight: theme.typography.fontWeightMedium, whiteSpace: 'nowrap' },
    'tbody tr': { height: 74, borderTop: `1px solid ${theme.colors.border.weak}` },
    'tbody tr:hover': { background: theme.colors.action.hover },
  }),
  node: css({ width: '20%' }),
  progress: css({ width: '21%' }),
  behind: css({ width: 88, '&&': { textAlign: 'right' } }),
  left: css({ width: 144, '&&': { paddingLeft: theme.spacing(3) } }),
  peers: css({ width: 64, '&&': { textAlign: 'right' } }),
  menu: css({ width: 40 }),
  number: css({ fontVariantNumeric: 'tabular-nums', '&&': { textAlign: 'right' } }),
});
