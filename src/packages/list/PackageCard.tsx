import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, Stack, useStyles2, useTheme2 } from '@grafana/ui';
import type { PackageSummary } from '@nodebell/contract/package.ts';
import { Avatar } from '../../components/Avatar';
import { packageIcon } from '../../components/icons';
import { linkProps } from '../../components/links';
import { pathTo } from '../../routes';
import { cardStyle, readColor } from '../cardStyle';
import { StatusItems, CardTags } from '../Tags';
import { versionLabel } from '../messages';
import { CardFooter } from './CardFooter';
import type { ChainNode } from '@nodebell/contract/chain.ts';
import { useBridgeNow, useNode } from '../../chains/LiveChains';
import { ProgressBar } from '../../chains/ProgressBar';
import { isStale, signOf, stateLabel } from '../../chains/messages';
import { formatNumber } from '../../i18n/locale';
import { StateText } from '../../components/StateText';
import { SecondaryText } from '../../components/SecondaryText';

interface Props {
  summary: PackageSummary;
  /** Undefined if the user lacks permission. */
  onRemove: ((one: PackageSummary) => void) | undefined;
}

/** Card of a package. Clicking it, except on a link, opens the package page. */
export function PackageCard({ summary, onRemove }: Props) {
  const theme = useTheme2();
  const styles = useStyles2(getStyles);
  const { dnpName } = summary;
  const canvas = readColor(theme.colors.background.canvas) ?? [0, 0, 0, 1];
  const { header, avatarFilter } = cardStyle(summary.style, canvas, readColor);
  const node = useShownNode(dnpName);
  return (
    <li className={styles.card} data-package={dnpName}>
      <div className={cx(styles.header, header.color !== undefined && styles.styled)} style={header}>
        <Avatar icon={packageIcon(summary)} dnpName={dnpName} size={40} filter={avatarFilter} />
        <Box flex={1} minWidth={0}>
          <h2 className={styles.name} dir="auto" title={dnpName}>
            <a className={styles.open} {...linkProps(pathTo.package(dnpName))}>
              {dnpName}
            </a>
          </h2>
          <div className={styles.version} title={versionLabel(summary)} dir="auto">
            {versionLabel(summary)}
          </div>
        </Box>
      </div>
      <Box display="flex" direction="column" flex={1} paddingX={2} paddingTop={1} paddingBottom={1.5}>
        <p className={styles.description} dir="auto">
          {summary.shortDescription ?? ''}
        </p>
        <CardTags summary={summary} />
        {node && <CardChain node={node} />}
        <Box display="flex" gap={1} minHeight="20px" marginTop={1.5}>
          <StatusItems summary={summary} />
        </Box>
      </Box>
      <CardFooter summary={summary} onRemove={onRemove} />
    </li>
  );
}

const getStyles = (theme: GrafanaTheme2) => {
  const oneLine = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;
  return {
    card: css({
      position: 'relative',
      display: 'flex',
      flexDirection: 'column',
      minWidth: 0,
      overflow: 'hidden',
      border: `1px solid ${theme.colors.border.weak}`,
      borderRadius: theme.shape.radius.default,
      background: theme.colors.background.canvas,
      contentVisibility: 'auto',
      containIntrinsicHeight: 'auto 236px',
      '&:hover': { borderColor: theme.colors.border.strong },
      '&:has(h2 a:focus-visible)': { outline: `2px solid ${theme.colors.primary.main}`, outlineOffset: 1 },
    }),
    header: css({
      display: 'flex',
      gap: theme.spacing(1.5),
      alignItems: 'center',
      padding: theme.spacing(2, 2, 1),
      overflow: 'hidden',
    }),
    styled: css({ '--quiet': 'currentColor', paddingBottom: theme.spacing(1) }),
    name: css({
      ...oneLine,
      margin: 0,
      fontSize: theme.typography.body.fontSize,
      fontWeight: theme.typography.fontWeightMedium,
      lineHeight: theme.typography.body.lineHeight,
      letterSpacing: 'normal',
      color: 'inherit',
    }),
    // The link covers the whole card; the footer is stacked above it.
    open: css({ color: 'inherit', outline: 'none', '&::after': { content: '""', position: 'absolute', inset: 0 } }),
    version: css({
      ...oneLine,
      fontSize: theme.typography.bodySmall.fontSize,
      color: `var(--quiet, ${theme.colors.text.secondary})`,
      fontVariantNumeric: 'tabular-nums',
    }),
    description: css({
      height: '3em',
      lineHeight: 1.5,
      margin: 0,
      color: theme.colors.text.secondary,
      display: '-webkit-box',
      WebkitLineClamp: 2,
      WebkitBoxOrient: 'vertical',
      overflow: 'hidden',
      overflowWrap: 'anywhere',
    }),
  };
};

/** The node of a package, if it has one that is monitored. */
function useShownNode(dnpName: string): ChainNode | undefined {
  const node = useNode(dnpName);
  return node?.state === 'unsupported' || node?.state === 'unconfigured' ? undefined : node;
}

/** Sync progress of the package's node. */
function CardChain({ node }: { node: ChainNode }) {
  const now = useBridgeNow();
  return (
    <Box display="flex" direction="column" gap={0.25} height="26px" marginTop={1}>
      <Stack alignItems="center" height="18px" justifyContent="space-between">
        <StateText {...signOf(node)} text={stateLabel(node, now)} />
        <SecondaryText tabular>
          {isStale(node) || node.current === undefined ? '' : formatNumber(node.current)}
        </SecondaryText>
      </Stack>
      {!isStale(node) && <ProgressBar node={node} />}
    </Box>
  );
}
