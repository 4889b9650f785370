import type { PanelProps } from '@grafana/data';
import { Box, ClipboardButton, Stack } from '@grafana/ui';
import { useQuery } from '@tanstack/react-query';
import type { PackageLink, PackageSummary } from '@nodebell/contract/package.ts';
import { explain } from '../../api/queryClient';
import { t } from '../../i18n/t';
import { linkLabel, sortLinks } from '../../components/packageLinks';
import { packagesQuery } from '../../api/packages';
import { useLivePackages } from '../../packages/queries';
import { packageIcon } from '../../components/icons';
import { PanelContent, PanelShell } from '../../components/Panel';
import { AvatarLink } from '../../components/AvatarLink';
import { linkProps } from '../../components/links';
import { shortName } from '../../components/messages';
import { pathTo } from '../../routes';
import { readOptions, type PackagesPanelOptions } from './options';
import { List } from '../../components/List';
import { SecondaryText } from '../../components/SecondaryText';
import { LinkChip } from '../../components/LinkChip';

/** Panel with the links of packages. */
export function PackagesPanel({ options }: PanelProps<PackagesPanelOptions>) {
  return (
    <PanelShell>
      <Packages options={readOptions(options)} />
    </PanelShell>
  );
}

function Packages({ options }: { options: PackagesPanelOptions }) {
  const { data, error } = useQuery(packagesQuery());
  const live = useLivePackages(error !== null);
  const { packages: names, layout } = options;
  const shown =
    data && (names.length === 0 ? data : names.map((name) => data.find(({ dnpName }) => dnpName === name) ?? name));
  return (
    <PanelContent
      label={t('panels.packages.label', 'Packages')}
      error={
        error && t('panels.packages.failed', 'Could not load the packages: {{message}}', { message: explain(error) })
      }
      onRetry={live.retry}
      loading={!data && !error}
      empty={shown?.length === 0 ? t('panels.packages.none', 'No packages registered.') : undefined}
    >
      <List gap={1}>
        {shown?.map((one) =>
          typeof one === 'string' ? (
            <SecondaryText key={one} element="li">
              {t('panels.packages.not-registered', '{{name}} is not registered.', { name: shortName(one) })}
            </SecondaryText>
          ) : (
            <Row key={one.dnpName} summary={one} layout={layout} />
          )
        )}
      </List>
    </PanelContent>
  );
}

function Row({ summary, layout }: { summary: PackageSummary; layout: PackagesPanelOptions['layout'] }) {
  const { dnpName } = summary;
  const compact = layout === 'compact';
  return (
    <li>
      <Stack
        direction={compact ? 'row' : 'column'}
        alignItems={compact ? 'center' : 'stretch'}
        justifyContent="space-between"
        gap={0.5}
      >
        <Box minWidth={0} {...(compact && { flex: '1 0 80px' })}>
          <AvatarLink icon={packageIcon(summary)} dnpName={dnpName} href={pathTo.package(dnpName)} title={dnpName}>
            {shortName(dnpName)}
          </AvatarLink>
        </Box>
        <Stack wrap gap={0.5} justifyContent={compact ? 'flex-end' : 'flex-start'} minWidth={0}>
          {sortLinks(summary.links).map((link) => (
            <PanelLink key={`${link.kind} ${link.key}`} link={link} iconOnly={compact} />
          ))}
        </Stack>
      </Stack>
    </li>
  );
}

/** The compact layout only has room for icons. */
function PanelLink({ link, iconOnly }: { link: PackageLink; iconOnly: boolean }) {
  const { icon, short, long } = linkLabel(link);
  const props = linkProps(link.url);
  const full = `${long}: ${link.url}`;
  if (link.copyOnly) {
    return (
      <ClipboardButton
        icon="copy"
        size="sm"
        variant="secondary"
        getText={() => link.url}
        title={full}
        aria-label={full}
      >
        {iconOnly ? undefined : short}
      </ClipboardButton>
    );
  }
  return props ? (
    <LinkChip outlined icon={icon ?? (iconOnly ? 'link' : undefined)} {...props} title={full} aria-label={long}>
      {iconOnly ? undefined : short}
    </LinkChip>
  ) : null;
}
