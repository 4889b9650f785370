import { css } from '@emotion/css';
import type { GrafanaTheme2, PanelProps } from '@grafana/data';
import { Icon, Text, useStyles2 } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import type { PackageLink, PackageSummary } from '@nodebell/contract/package.ts';
import { createQueryClient, explain } from '../../api/queryClient';
import { t } from '../../i18n/t';
import { linkLabel, openable, sortLinks } from '../../packages/links';
import { packagesQuery, useLivePackages } from '../../packages/queries';
import { Avatar } from '../../components/Avatar';
import { packageIcon } from '../../components/icons';
import { PanelError, PanelShell } from '../../components/NotSetUp';
import { linkProps } from '../../components/links';
import { shortName } from '../../components/messages';
import { pathTo } from '../../routes';
import { readOptions, type PackagesPanelOptions } from './options';
import { List } from '../../components/List';

/** Shared by all panels of a dashboard: they show the same list. */
const client = createQueryClient();

/** Panel with the links of packages. */
export function PackagesPanel({ options }: PanelProps<PackagesPanelOptions>) {
  return (
    <PanelShell client={client}>
      <Packages options={readOptions(options)} />
    </PanelShell>
  );
}

function Packages({ options }: { options: PackagesPanelOptions }) {
  const styles = useStyles2(getStyles);
  const { data, error } = useQuery(packagesQuery());
  const live = useLivePackages(error !== null);
  const { packages: names, layout } = options;
  const shown =
    data && (names.length === 0 ? data : names.map((name) => data.find(({ dnpName }) => dnpName === name) ?? name));
  return (
    <div className={styles.panel} tabIndex={0} role="region" aria-label={t('panels.packages.label', 'Packages')}>
      {error && (
        <PanelError
          message={t('panels.packages.failed', 'Could not load the packages: {{message}}', { message: explain(error) })}
          onRetry={live.retry}
        />
      )}
      {!data && !error && (
        <Text element="p" color="secondary">
          {t('panels.note.loading', 'Loading…')}
        </Text>
      )}
      {shown?.length === 0 && (
        <Text element="p" color="secondary">
          {t('panels.packages.none', 'No packages registered.')}
        </Text>
      )}
      <List gap={1}>
        {shown?.map((one) =>
          typeof one === 'string' ? (
            <Text key={one} element="li" color="secondary">
              {t('panels.packages.not-registered', '{{name}} is not registered.', { name: shortName(one) })}
            </Text>
          ) : (
            <Row key={one.dnpName} summary={one} layout={layout} />
          )
        )}
      </List>
    </div>
  );
}

function Row({ summary, layout }: { summary: PackageSummary; layout: PackagesPanelOptions['layout'] }) {
  const styles = useStyles2(getStyles);
  const { dnpName } = summary;
  return (
    <li className={layout === 'compact' ? styles.compact : styles.row}>
      <a className={styles.name} title={dnpName} {...linkProps(pathTo.package(dnpName))}>
        <Avatar icon={packageIcon(summary)} dnpName={dnpName} size={24} />
        <span dir="auto">{shortName(dnpName)}</span>
      </a>
      <span className={styles.links}>
        {sortLinks(openable(summary.links)).map((link) => (
          <PanelLink key={`${link.kind} ${link.key}`} link={link} iconOnly={layout === 'compact'} />
        ))}
      </span>
    </li>
  );
}

/** The compact layout only has room for icons. */
function PanelLink({ link, iconOnly }: { link: PackageLink; iconOnly: boolean }) {
  const styles = useStyles2(getStyles);
  const { icon, short, long } = linkLabel(link);
  const props = linkProps(link.url);
  const full = `${long}: ${link.url}`;
  return props ? (
    <a className={styles.link} {...props} title={full} aria-label={long}>
      {(icon || iconOnly) && <Icon name={icon ?? 'link'} />}
      {!iconOnly && <span dir="auto">{short}</span>}
    </a>
  ) : null;
}

const getStyles = (theme: GrafanaTheme2) => ({
  panel: css({
    height: '100%',
    overflowY: 'auto',
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}` },
  }),
  row: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(0.5), minWidth: 0 }),
  compact: css({
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(1),
    minWidth: 0,
    '& > :first-child': { flex: '1 0 80px' },
    '& > :last-child': { justifyContent: 'flex-end' },
  }),
  name: css({
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    minWidth: 0,
    color: theme.colors.text.primary,
    '&:hover': { textDecoration: 'underline' },
    '& > span:last-child': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  }),
  links: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0.5), minWidth: 0 }),
  link: css({
    display: 'inline-flex',
    alignItems: 'center',
    gap: theme.spacing(0.5),
    maxWidth: '100%',
    minHeight: 24,
    padding: theme.spacing(0, 0.75),
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
    fontSize: theme.typography.bodySmall.fontSize,
    color: theme.colors.text.primary,
    '& > span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
    '& > svg': { flex: 'none' },
    '&:hover': { background: theme.colors.action.hover },
    '&:focus-visible': { outline: `2px solid ${theme.colors.primary.main}` },
  }),
});
