/** The cells of a node, shared by the table and the list. */
import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, Dropdown, Icon, IconButton, Menu, Stack, Text, useStyles2 } from '@grafana/ui';
import type { ChainNode } from '@nodebell/contract/chain.ts';
import { formatNumber } from '../i18n/locale';
import { t } from '../i18n/t';
import { LinkItems } from '../components/LinkItems';
import { openable, sortLinks } from '../components/packageLinks';
import { Avatar } from '../components/Avatar';
import { BreakWords } from '../components/BreakWords';
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
import { SecondaryText } from '../components/SecondaryText';

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
        <Box display="flex" minWidth={0}>
          <SecondaryText truncate dir="auto" title={full}>
            {name} {software}
          </SecondaryText>
        </Box>
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
    <Stack minWidth={0}>
      <Box shrink={0} paddingTop={0.25}>
        <Icon name={icon} className={styles[tone]} />
      </Box>
      <Box minWidth={0} flex={1}>
        <div className={cx(styles.word, highlighted && styles[tone])}>{stateLabel(node, now)}</div>
        <BreakWords>
          <SecondaryText element="p" tabular>
            {small}
          </SecondaryText>
        </BreakWords>
      </Box>
    </Stack>
  );
}

export function NodeProgress({ node }: Props) {
  const { ratio, state } = node;
  return (
    <Stack direction="column" gap={0.5} minWidth={0}>
      {!isStale(node) && <ProgressBar node={node} />}
      <Stack wrap rowGap={0} justifyContent="space-between">
        <SecondaryText tabular>
          <Figures node={node} />
        </SecondaryText>
        {ratio !== undefined && ratio < 1 && state === 'syncing' && (
          <Text variant="bodySmall" tabular>
            {formatPercent(ratio)}
          </Text>
        )}
      </Stack>
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
  few: css({ display: 'inline-flex', alignItems: 'center', gap: theme.spacing(0.5), color: theme.colors.warning.text }),
  word: css({ fontWeight: theme.typography.fontWeightMedium, fontVariantNumeric: 'tabular-nums' }),
});
