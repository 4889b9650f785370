/** The cells of a node, shared by the table and the list. */
import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, Dropdown, Icon, IconButton, Menu, Stack, useStyles2 } from '@grafana/ui';
import type { ChainNode } from '@nodebell/contract/chain.ts';
import { formatNumber } from '../i18n/locale';
import { t } from '../i18n/t';
import { LinkItems } from '../packages/LinksDialog';
import { openable, sortLinks } from '../packages/links';
import { Avatar } from '../components/Avatar';
import { packageIcon } from '../components/icons';
import { Hidden } from '../components/Hidden';
import { linkProps } from '../components/links';
import { toneStyles } from '../components/StateText';
import { pathTo } from '../routes';
import { useBridgeNow } from './LiveChains';
import { ProgressBar } from './ProgressBar';
import {
  causeMessage,
  checkedMessage,
  fewPeers,
  fewPeersMessage,
  heightLabel,
  isStale,
  formatPercent,
  signOf,
  stateLabel,
  versionOf,
} from './messages';

interface Props {
  node: ChainNode;
}

export function NodeName({ node }: Props) {
  const styles = useStyles2(getStyles);
  const { dnpName, name, title, icon, version } = node;
  const software = versionOf(node);
  const full = `${name} ${version ?? software}`;
  return (
    <Stack gap={1.5} alignItems="center" minWidth={0}>
      <Avatar icon={packageIcon({ dnpName, icon })} dnpName={dnpName} size={32} />
      <Box minWidth={0} flex={1}>
        <a className={styles.title} dir="auto" title={dnpName} {...linkProps(pathTo.package(dnpName))}>
          {title}
        </a>
        <div className={cx(styles.small, styles.cut)} dir="auto" title={full}>
          {name} {software}
        </div>
      </Box>
    </Stack>
  );
}

/** State, cause and age; never conveyed by color alone. */
export function NodeState({ node }: Props) {
  const styles = useStyles2(getStyles);
  const now = useBridgeNow();
  const { icon, tone } = signOf(node);
  const highlighted = tone === 'error' || tone === 'warning';
  const small = [causeMessage(node), checkedMessage(node, now)].filter(Boolean).join(' ');
  return (
    <div className={styles.state}>
      <Icon name={icon} className={styles[tone]} />
      <Box minWidth={0} flex={1}>
        <div className={cx(styles.word, highlighted && styles[tone])}>{stateLabel(node, now)}</div>
        <div className={styles.small}>{small}</div>
      </Box>
    </div>
  );
}

export function NodeProgress({ node }: Props) {
  const styles = useStyles2(getStyles);
  const { ratio, state } = node;
  return (
    <Stack direction="column" gap={0.5} minWidth={0}>
      {!isStale(node) && <ProgressBar node={node} />}
      <div className={cx(styles.small, styles.figures)}>
        <Figures node={node} />
        {ratio !== undefined && ratio < 1 && state === 'syncing' && (
          <span className={styles.share}>{formatPercent(ratio)}</span>
        )}
      </div>
    </Stack>
  );
}

/** A component of its own, so that the clock rerenders this text and not the bar. */
const Figures = ({ node }: Props) => <>{heightLabel(node, useBridgeNow()) ?? <Nothing />}</>;

export function NodePeers({ node }: Props) {
  const styles = useStyles2(getStyles);
  const { peers } = node;
  if (peers === undefined || isStale(node)) {
    return <Nothing />;
  }
  return fewPeers(node) ? (
    <span className={styles.few} title={fewPeersMessage(node)}>
      <Icon name="exclamation-triangle" size="sm" />
      {formatNumber(peers)}
      <Hidden>{t('chains.figures.too-few', ', too few')}</Hidden>
    </span>
  ) : (
    <span>{formatNumber(peers)}</span>
  );
}

export function NodeBehind({ node }: Props) {
  return node.behind === undefined || isStale(node) ? <Nothing /> : <span>{formatNumber(node.behind)}</span>;
}

/** A dash, read as "unknown" by screen readers. */
export const Nothing = () => (
  <>
    <span aria-hidden>–</span>
    <Hidden>{t('chains.figures.unknown', 'unknown')}</Hidden>
  </>
);

export function NodeMenu({ node }: Props) {
  const { dnpName, name } = node;
  const links = sortLinks(openable(node.links));
  const label = t('chains.menu.links-of', 'Links for {{name}}', { name });
  const menu = () => (
    <Menu ariaLabel={label}>
      <Menu.Item
        label={t('chains.menu.package', 'View package')}
        icon="apps"
        role="menuitem"
        url={pathTo.package(dnpName)}
      />
      <Menu.Item
        label={t('chains.menu.notifications', 'View notifications')}
        icon="bell"
        role="menuitem"
        url={pathTo.inboxOf(dnpName)}
      />
      {links.length > 0 && <Menu.Divider />}
      <LinkItems links={links} />
    </Menu>
  );
  return (
    <Dropdown overlay={menu} placement="bottom-end">
      <IconButton name="ellipsis-v" aria-label={label} />
    </Dropdown>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  ...toneStyles(theme),
  title: css({
    display: 'block',
    color: theme.colors.text.primary,
    fontWeight: theme.typography.fontWeightMedium,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    '&:hover': { textDecoration: 'underline' },
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}`, outlineOffset: -2 },
  }),
  small: css({
    color: theme.colors.text.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
    lineHeight: theme.typography.bodySmall.lineHeight,
    fontVariantNumeric: 'tabular-nums',
  }),
  cut: css({ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }),
  state: css({
    display: 'flex',
    gap: theme.spacing(1),
    minWidth: 0,
    '& > svg, & > div:first-child': { flex: 'none', marginTop: 3 },
  }),
  word: css({ fontWeight: theme.typography.fontWeightMedium, fontVariantNumeric: 'tabular-nums' }),
  figures: css({ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: theme.spacing(0, 1) }),
  share: css({ color: theme.colors.text.primary, whiteSpace: 'nowrap' }),
  few: css({
    display: 'inline-flex',
    alignItems: 'center',
    gap: theme.spacing(0.5),
    color: theme.colors.warning.text,
    '& > svg, & > div': { flex: 'none' },
  }),
});
