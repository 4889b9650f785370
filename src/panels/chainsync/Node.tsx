/** One node in the panel. Narrow panels drop columns (peers, then the bar) and keep the size of their letters. */
import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';
import { memo } from 'react';
import type { ChainNode } from '@nodebell/contract/chain.ts';
import { Nothing } from '../../chains/cells';
import { useBridgeNow } from '../../chains/clock';
import { ProgressBar } from '../../chains/ProgressBar';
import {
  behindOf,
  causeWords,
  fewPeers,
  fewPeersWords,
  figureWords,
  isSilent,
  leftWords,
  peersWords,
  percentWords,
  stateWords,
} from '../../chains/words';
import { formatNumber, uncapitalised } from '../../i18n/locale';
import { Avatar } from '../../components/Avatar';
import { packageIcon } from '../../components/icons';
import { linkProps } from '../../components/links';
import { toneStyles } from '../../components/StateText';
import { pathTo } from '../../routes';
import { judge, type ChainsPanelOptions, type Judged } from './options';

/** Widths of the panel's inside from which there is room for the bar, and for the peers. */
const WITH_BAR = 340;
const WITH_PEERS = 480;

interface Props {
  node: ChainNode;
  options: ChainsPanelOptions;
}

export const Row = memo(function Row({ node, options, width }: Props & { width: number }) {
  const styles = useStyles2(getStyles);
  const judged = judge(node, options);
  return (
    <li className={cx(styles.row, width < WITH_BAR && styles.stacked)} data-node={node.dnpName}>
      <Name node={node} />
      {isSilent(node) ? (
        <Silence node={node} judged={judged} withCause={width >= WITH_PEERS} />
      ) : (
        <>
          {width >= WITH_BAR && <div className={styles.bar}>{<BarOrCause node={node} judged={judged} />}</div>}
          <State node={node} judged={judged} />
          {width >= WITH_PEERS && <Peers node={node} />}
        </>
      )}
    </li>
  );
});

export const Tile = memo(function Tile({ node, options }: Props) {
  const styles = useStyles2(getTileStyles);
  const judged = judge(node, options);
  const share = node.state === 'syncing' && node.ratio !== undefined ? percentWords(node.ratio) : undefined;
  const figure = isSilent(node)
    ? undefined
    : (share ?? (node.current === undefined ? undefined : formatNumber(node.current)));
  return (
    <li className={styles.tile} data-node={node.dnpName}>
      <Name node={node} />
      <div className={styles.figure}>{figure ?? <Nothing />}</div>
      <BarOrCause node={node} judged={judged} />
      <State node={node} judged={judged} withShare={share === undefined} />
    </li>
  );
});

function Name({ node: { dnpName, icon, title, name } }: { node: ChainNode }) {
  const styles = useStyles2(getStyles);
  const full = `${title}, ${name}`;
  return (
    <a className={styles.name} title={full} {...linkProps(pathTo.package(dnpName))}>
      <Avatar icon={packageIcon({ dnpName, icon })} dnpName={dnpName} size={24} />
      <span dir="auto">{title}</span>
    </a>
  );
}

/** A node without figures has the room of all of them: since when it is silent, whole, and as much of the why as there is room for. */
function Silence({ node, judged, withCause }: { node: ChainNode; judged: Judged; withCause: boolean }) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.silence} title={causeWords(node)}>
      <State node={node} judged={judged} />
      {withCause && <Cause node={node} />}
    </div>
  );
}

function BarOrCause({ node, judged }: { node: ChainNode; judged: Judged }) {
  const hasWords = isSilent(node) || (node.ratio === undefined && node.current !== undefined);
  return hasWords ? <Cause node={node} /> : <ProgressBar node={node} tone={judged.tone} />;
}

/** Of a silent node why, and what it said last; of others how far they are. */
function Cause({ node }: { node: ChainNode }) {
  const styles = useStyles2(getStyles);
  const figures = figureWords(node, useBridgeNow());
  const words = [isSilent(node) && causeWords(node), figures].filter(Boolean).join(' ');
  return (
    <div className={styles.cause} title={words}>
      {words}
    </div>
  );
}

interface StateProps {
  node: ChainNode;
  judged: Judged;
  /** False where the share stands beside it. */
  withShare?: boolean;
}

function State({ node, judged: { icon, tone, beyond }, withShare = true }: StateProps) {
  const styles = useStyles2(getStyles);
  const words = shortState(node, useBridgeNow(), withShare);
  const { behind } = node;
  return (
    <span className={cx(styles.state, (tone === 'error' || tone === 'warning') && styles[tone])}>
      <Icon name={icon} size="sm" className={styles[tone]} />
      <span title={words}>{beyond && behind !== undefined ? `${words}, ${behindOf(node, behind)}` : words}</span>
    </span>
  );
}

/** "Synced", "63.2 %, about 14 h", "Stalled for 42 min". */
function shortState(node: ChainNode, now: number, withShare: boolean): string {
  const left = leftWords(node);
  if (node.state !== 'syncing' || node.ratio === undefined || left === undefined) {
    return stateWords(node, now);
  }
  const words = node.secondsLeft === null ? stateWords(node, now) : left;
  return withShare ? `${percentWords(node.ratio)}, ${uncapitalised(words)}` : words;
}

function Peers({ node }: { node: ChainNode }) {
  const styles = useStyles2(getStyles);
  const { peers } = node;
  if (peers === undefined || isSilent(node)) {
    return <span className={styles.peers} />;
  }
  const few = fewPeers(node);
  return (
    <span className={cx(styles.peers, few && styles.warning)} {...(few && { title: fewPeersWords(node) })}>
      {few && <Icon name="exclamation-triangle" size="sm" />} {peersWords(peers)}
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
  name: css({
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    minWidth: 0,
    color: theme.colors.text.primary,
    '&:hover': { textDecoration: 'underline' },
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}`, outlineOffset: -2 },
    '& > span:last-child': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  }),
  bar: css({ flex: '3 1 90px', minWidth: 0 }),
  silence: css({
    flex: '6 1 255px',
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1.5),
    minWidth: 0,
    '& > :first-child': { flex: '0 1 auto' },
    '& > :last-child:not(:first-child)': { flex: '1 1 0' },
  }),
  cause: css({
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
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
  // Last, so that they win over the quiet colour of what they are put upon.
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
  figure: css({ ...theme.typography.h4, margin: 0, fontVariantNumeric: 'tabular-nums' }),
});
