import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, Dropdown, IconButton, Menu, useStyles2 } from '@grafana/ui';
import type { PackageLink, PackageSummary } from '@nodebell/contract/package.ts';
import { t } from '../../i18n/t';
import { linkProps } from '../../components/links';
import { pathTo } from '../../routes';
import { LinkItems } from '../../components/LinkItems';
import { countThatFit, linkLabel, openable, sortLinks } from '../../components/packageLinks';
import { SecondaryText } from '../../components/SecondaryText';
import { LinkChip } from '../../components/LinkChip';
import { SmallButton } from '../../components/SmallButton';

/** Width of the narrowest card, in characters. */
const ROOM = 40;

interface Props {
  summary: PackageSummary;
  /** Undefined if the user lacks permission. */
  onRemove: ((one: PackageSummary) => void) | undefined;
}

/** Links and actions of a package card. */
export function CardFooter({ summary, onRemove }: Props) {
  const styles = useStyles2(getStyles);
  const { dnpName } = summary;
  const links = sortLinks(openable(summary.links));
  const shown = countThatFit(links, ROOM);
  return (
    <div className={styles.footer}>
      <div className={styles.links}>
        {links.slice(0, shown).map((link) => (
          <CardLink key={`${link.kind} ${link.key}`} link={link} />
        ))}
        {links.length > shown && (
          <Dropdown overlay={() => <LinksMenu links={links.slice(shown)} />} placement="bottom-start">
            <SmallButton fill="text">
              {t('packages.card.more-links', '{{n, number}} more', { n: links.length - shown })}
            </SmallButton>
          </Dropdown>
        )}
        {links.length === 0 && (
          <Box padding={0.5} paddingX={1}>
            <SecondaryText>{t('packages.card.no-links', 'No links')}</SecondaryText>
          </Box>
        )}
      </div>
      <Dropdown overlay={() => <CardMenu summary={summary} onRemove={onRemove} />} placement="bottom-end">
        <IconButton name="ellipsis-v" aria-label={actionsFor(dnpName)} />
      </Dropdown>
    </div>
  );
}

const actionsFor = (name: string): string => t('packages.card.actions', 'Actions for {{name}}', { name });

function CardLink({ link }: { link: PackageLink }) {
  const { icon, short } = linkLabel(link);
  const props = linkProps(link.url);
  const full = `${short}: ${link.url}`;
  return props ? (
    <LinkChip icon={icon} {...props} title={full}>
      {short}
    </LinkChip>
  ) : null;
}

function LinksMenu({ links }: { links: PackageLink[] }) {
  return (
    <Menu ariaLabel={t('packages.card.more-links-label', 'More links')}>
      <LinkItems links={links} />
    </Menu>
  );
}

function CardMenu({ summary, onRemove }: Props) {
  const { dnpName, origin } = summary;
  return (
    <Menu ariaLabel={actionsFor(dnpName)}>
      <Menu.Item
        label={t('packages.card.open', 'View package')}
        icon="file-alt"
        role="menuitem"
        url={pathTo.package(dnpName)}
      />
      <Menu.Item
        label={t('packages.card.notifications', 'View notifications')}
        icon="bell"
        role="menuitem"
        url={pathTo.inboxOf(dnpName)}
      />
      {onRemove && origin.kind === 'api' && (
        <>
          <Menu.Divider />
          <Menu.Item
            label={t('packages.card.update', 'Update…')}
            icon="arrow-up"
            role="menuitem"
            url={pathTo.updatePackage(dnpName)}
          />
          <Menu.Item
            label={t('packages.card.remove', 'Remove…')}
            icon="trash-alt"
            destructive
            onClick={() => onRemove(summary)}
          />
        </>
      )}
    </Menu>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  footer: css({
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(1),
    padding: theme.spacing(0.5, 1),
    borderTop: `1px solid ${theme.colors.border.weak}`,
  }),
  links: css({ display: 'flex', gap: theme.spacing(0.5), minWidth: 0, overflow: 'hidden', padding: 2, margin: -2 }),
});
