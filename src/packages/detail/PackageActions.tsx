import { Button, Dropdown, IconButton, LinkButton, Menu } from '@grafana/ui';
import { useState } from 'react';
import type { PackageDetail } from '@nodebell/contract/package.ts';
import { t } from '../../i18n/t';
import { may } from '../../components/access';
import { linkProps } from '../../components/links';
import { pathTo } from '../../routes';
import { DashboardsDialog } from './DashboardsDialog';

interface Props {
  detail: PackageDetail;
  onRemove: () => void;
}

/** Actions for a package. Provisioned packages can only be changed in their file. */
export function PackageActions({ detail, onRemove }: Props) {
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
