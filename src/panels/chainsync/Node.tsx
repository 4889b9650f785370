/** One node in the panel. Narrow panels drop columns (peers, then the bar) and keep the font size. */
import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, Icon, Text, useStyles2 } from '@grafana/ui';
import { memo } from 'react';
import type { ChainNode } from '@nodebell/contract/chain.ts';
import { Nothing } from '../../chains/cells';
import { useBridgeNow } from '../../chains/LiveChains';
import { ProgressBar } from '../../chains/ProgressBar';
import {
  formatBehind,
  causeMessage,
  fewPeers,
  fewPeersMessage,
  heightLabel,
  isStale,
  timeLeftLabel,
  formatPeers,
  formatPercent,
  stateLabel,
} from '../../chains/messages';
import { formatNumber, uncapitalised } from '../../i18n/locale';
import { AvatarLink } from '../../components/AvatarLink';
import { packageIcon } from '../../components/icons';
import { toneStyles } from '../../components/StateText';
import { pathTo } from '../../routes';
import { toNodeStatus, type ChainsPanelOptions, type NodeStatus } from './options';
import { SecondaryText } from '../../components/SecondaryText';

/** Inner widths of the panel from which the bar and the peers are shown, in pixels. */
const WITH_BAR = 340;
const WITH_PEERS = 480;

interface Props {
  node: ChainNode;
  options: ChainsPanelOptions;
}

export const Row = memo(function Row({ node, options, width }: Props & { width: number }) {
  const styles = useStyles2(getStyles);
  const status = toNodeStatus(node, options);
  return (
    <li className={cx(styles.row, width < WITH_BAR && styles.stacked)} data-node={node.dnpName}>
      <Name node={node} />
      {isStale(node) ? (
        <StaleNode node={node} status={status} withCause={width >= WITH_PEERS} />
      ) : (
        <>
          {width >= WITH_BAR && (
            <Box flex="3 1 90px" minWidth={0}>
              {<BarOrCause node={node} status={status} />}
            </Box>
          )}
          <State node={node} status={status} />
          {width >= WITH_PEERS && <Peers node={node} />}
        </>
      )}
    </li>
  );
});

export const Tile = memo(function Tile({ node, options }: Props) {
  const styles = useStyles2(getTileStyles);
  const status = toNodeStatus(node, options);
  const share = node.state === 'syncing' && node.ratio !== undefined ? formatPercent(node.ratio) : undefined;
  const figure = isStale(node)
    ? undefined
    : (share ?? (node.current === undefined ? undefined : formatNumber(node.current)));
  return (
    <li className={styles.tile} data-node={node.dnpName}>
      <Name node={node} />
      <Text element="p" variant="h4" tabular>
        {figure ?? <Nothing />}
      </Text>
      <BarOrCause node={node} status={status} />
      <State node={node} status={status} withShare={share === undefined} />
    </li>
  );
});

function Name({ node: { dnpName, icon, title, name } }: { node: ChainNode }) {
  const full = `${title}, ${name}`;
  return (
    <AvatarLink icon={packageIcon({ dnpName, icon })} dnpName={dnpName} href={pathTo.package(dnpName)} title={full}>
      {title}
    </AvatarLink>
  );
}

/** A stale node has no current values: its state, and as much of the cause as fits. */
function StaleNode({ node, status, withCause }: { node: ChainNode; status: NodeStatus; withCause: boolean }) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.stale} title={causeMessage(node)}>
      <State node={node} status={status} />
      {withCause && <Cause node={node} />}
    </div>
  );
}

function BarOrCause({ node, status }: { node: ChainNode; status: NodeStatus }) {
  const showsCause = isStale(node) || (node.ratio === undefined && node.current !== undefined);
  return showsCause ? <Cause node={node} /> : <ProgressBar node={node} tone={status.tone} />;
}

/** Cause and last known block of a stale node; otherwise the current block. */
function Cause({ node }: { node: ChainNode }) {
  const figures = heightLabel(node, useBridgeNow());
  const label = [isStale(node) && causeMessage(node), figures].filter(Boolean).join(' ');
  return (
    <Box display="flex" minWidth={0}>
      <SecondaryText truncate title={label}>
        {label}
      </SecondaryText>
    </Box>
  );
}

interface StateProps {
  node: ChainNode;
  status: NodeStatus;
  /** False where the percentage is shown elsewhere. */
  withShare?: boolean;
}

function State({ node, status: { icon, tone, exceedsLimit }, withShare = true }: StateProps) {
  const styles = useStyles2(getStyles);
  const label = shortStateLabel(node, useBridgeNow(), withShare);
  const { behind } = node;
  return (
    <span className={cx(styles.state, (tone === 'error' || tone === 'warning') && styles[tone])}>
      <Icon name={icon} size="sm" className={styles[tone]} />
      <span title={label}>
        {exceedsLimit && behind !== undefined ? `${label}, ${formatBehind(node, behind)}` : label}
      </span>
    </span>
  );
}

/** "Synced", "63.2 %, about 14 h", "Stalled for 42 min". */
function shortStateLabel(node: ChainNode, now: number, withShare: boolean): string {
  const left = timeLeftLabel(node);
  if (node.state !== 'syncing' || node.ratio === undefined || left === undefined) {
    return stateLabel(node, now);
  }
  const label = node.secondsLeft === null ? stateLabel(node, now) : left;
  return withShare ? `${formatPercent(node.ratio)}, ${uncapitalised(label)}` : label;
}

function Peers({ node }: { node: ChainNode }) {
  const styles = useStyles2(getStyles);
  const { peers } = node;
  if (peers === undefined || isStale(node)) {
    return <span className={styles.peers} />;
  }
  const few = fewPeers(node);
  return (
    <span className={cx(styles.peers, few && styles.warning)} {...(few && { title: fewPeersMessage(node) })}>
      {few && <Icon name="exclamation-triangle" size="sm" />} {formatPeers(peers)}
    </span>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  row: css({
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1.5),
    height: 38,
    contentVisibility: 'auto',
    containIntrinsicSize: 'auto 38px',
    '& > :first-child': { flex: '3 1 150px' },
  }),
  stacked: css({
    flexDirection: 'column',
    alignItems: 'stretch',
    gap: 0,
    height: 52,
    containIntrinsicSize: 'auto 52px',
    '& > :first-child': { flex: 'none' },
    '& > :last-child': { flex: 'none', paddingLeft: theme.spacing(4) },
  }),
  stale: css({
    flex: '6 1 255px',
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1.5),
    minWidth: 0,
    '& > :first-child': { flex: '0 1 auto' },
    '& > :last-child:not(:first-child)': { flex: '1 1 0' },
  }),
  state: css({
    flex: '3 1 165px',
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(0.5),
    minWidth: 0,
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
    fontVariantNumeric: 'tabular-nums',
    '& > svg, & > div': { flex: 'none' },
    '& > span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  }),
  peers: css({
    flex: '0 0 84px',
    textAlign: 'right',
    whiteSpace: 'nowrap',
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
    fontVariantNumeric: 'tabular-nums',
  }),
  // Last, so that they override the secondary color above.
  ...toneStyles(theme),
});

const getTileStyles = (theme: GrafanaTheme2) => ({
  tile: css({
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(0.75),
    minWidth: 0,
    padding: theme.spacing(1),
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
    '& > :last-child': { flex: 'none' },
  }),
});
