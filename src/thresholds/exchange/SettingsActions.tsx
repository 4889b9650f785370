import { AppEvents } from '@grafana/data';
import { Button, Dropdown, Menu } from '@grafana/ui';
import { useState } from 'react';
import { toBridgeError } from '../../api/errors';
import { THRESHOLDS } from '@nodebell/contract/api/thresholds.ts';
import { call } from '../../api/client';
import { t } from '../../i18n/t';
import { afterMenu } from '../../components/afterMenu';
import { may } from '../../api/permissions';
import { ChangesDrawer } from './ChangesDrawer';
import { ImportDialog } from './ImportDialog';
import { settingsYaml } from './settingsYaml';
import { toast } from '../../api/toast';

/** Actions in the page header: change log, export and import. Hidden from users who cannot change thresholds. */
export function SettingsActions() {
  const [open, setOpen] = useState<'changes' | 'import'>();
  const close = () => setOpen(undefined);
  if (!may('thresholds:write')) {
    return null;
  }
  return (
    <>
      <Button variant="secondary" icon="history" onClick={() => setOpen('changes')}>
        {t('thresholds.changes.title', 'Changes')}
      </Button>
      <Dropdown
        placement="bottom-end"
        overlay={() => (
          <Menu ariaLabel={t('thresholds.menu.label', 'Threshold actions')}>
            <Menu.Item
              label={t('thresholds.menu.export', 'Export settings')}
              icon="download-alt"
              description={t('thresholds.menu.yaml', 'As YAML')}
              onClick={() => void download()}
            />
            {may('bridge:admin') && (
              <Menu.Item
                label={t('thresholds.menu.import', 'Import settings…')}
                icon="upload"
                onClick={() => afterMenu(() => setOpen('import'))}
              />
            )}
          </Menu>
        )}
      >
        <Button variant="secondary" icon="ellipsis-v" aria-label={t('thresholds.menu.label', 'Threshold actions')} />
      </Dropdown>
      {open === 'changes' && <ChangesDrawer onClose={close} />}
      {open === 'import' && <ImportDialog onClose={close} />}
    </>
  );
}

async function download(): Promise<void> {
  try {
    const url = URL.createObjectURL(
      new Blob([settingsYaml(await call(THRESHOLDS.exportSettings, {}))], { type: 'application/yaml' })
    );
    Object.assign(document.createElement('a'), { href: url, download: 'nodebell-settings.yaml' }).click();
    // The download must have started before the URL is revoked.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch (thrown) {
    toast(
      AppEvents.alertError,
      t('thresholds.menu.export-failed', 'Could not export the settings'),
      toBridgeError(thrown).message
    );
  }
}
