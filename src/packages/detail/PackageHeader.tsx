import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Box, Button, Dropdown, IconButton, LinkButton, Menu, Stack, Text, useStyles2 } from '@grafana/ui';
import type { PackageSummary, PackageDetail } from '@nodebell/contract/package.ts';
import { t } from '../../i18n/t';
import { Avatar } from '../../components/Avatar';
import { packageIcon } from '../../components/icons';
import { StateText } from '../../components/StateText';
import { Tags } from '../Tags';
import { versionLabel } from '../messages';
import { useState } from 'react';
import { may } from '../../api/permissions';
import { linkProps } from '../../components/links';
import { pathTo } from '../../routes';
import { DashboardsDialog } from './DashboardsDialog';

interface Props {
  dnpName: string;
  /** Undefined while loading and if the package does not exist. */
  summary: Pick<PackageSummary, 'icon' | 'version' | 'upstreamVersion' | 'categories' | 'type' | 'origin'> | undefined;
}

const provisionedBy = (file: string | undefined): string =>
  file === undefined
    ? t('packages.origin.some-file', 'Provisioned from a file')
    : t('packages.origin.file', 'Provisioned from {{file}}', { file });

/** The title of a package's page. */
export function PackageHeader({ dnpName, summary }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <Stack gap={2} alignItems="flex-start" minWidth={0}>
      <Avatar icon={packageIcon({ dnpName, icon: summary?.icon })} dnpName={dnpName} size={56} />
      <Box minWidth={0} flex={1}>
        <h1 className={styles.title} dir="auto">
          {dnpName}
        </h1>
        {summary && (
          <Stack wrap alignItems="center" rowGap={0.5} columnGap={1.5}>
            {/* A package can list many upstream versions; the details show them in full. */}
            <Box maxWidth="36ch" minWidth={0} display="flex">
              <Text color="secondary" tabular truncate dir="auto" title={versionLabel(summary)}>
                {versionLabel(summary)}
              </Text>
            </Box>
            <Tags labels={[...summary.categories, summary.type]} />
            {summary.origin.kind === 'file' && (
              <StateText icon="lock" tone="secondary" text={provisionedBy(summary.origin.file)} />
            )}
          </Stack>
        )}
      </Box>
    </Stack>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  title: css({
    ...theme.typography.h2,
    margin: 0,
    overflowWrap: 'anywhere',
    display: '-webkit-box',
    WebkitLineClamp: 3,
    WebkitBoxOrient: 'vertical',
    overflow: 'hidden',
  }),
});

interface PackageActionsProps {
  detail: PackageDetail;
  onRemove: () => void;
}

/** Actions for a package. Provisioned packages can only be changed in their file. */
export function PackageActions({ detail, onRemove }: PackageActionsProps) {
  const [dashboards, setDashboards] = useState(false);
  const { dnpName, version, origin } = detail;
  return (
    <>
      {detail.dashboards.length > 0 && (
        <Button variant="secondary" icon="apps" onClick={() => setDashboards(true)}>
          {detail.dashboards.length > 1
            ? t('packages.action.dashboards', 'Dashboards')
            : t('packages.action.dashboard', 'Dashboard')}
        </Button>
      )}
      {may('packages:write') && origin.kind === 'api' && (
        <>
          <LinkButton variant="secondary" icon="arrow-up" {...linkProps(pathTo.updatePackage(dnpName))}>
            {t('packages.action.update', 'Update')}
          </LinkButton>
          <Dropdown
            placement="bottom-end"
            overlay={
              <Menu ariaLabel={t('packages.action.more', 'More actions')}>
                <Menu.Item
                  label={t('packages.card.remove', 'Remove…')}
                  icon="trash-alt"
                  destructive
                  onClick={onRemove}
                />
              </Menu>
            }
          >
            <IconButton name="ellipsis-v" size="lg" aria-label={t('packages.action.more', 'More actions')} />
          </Dropdown>
        </>
      )}
      {dashboards && <DashboardsDialog dnpName={dnpName} version={version} onClose={() => setDashboards(false)} />}
    </>
  );
}
