import { PanelPlugin } from '@grafana/data';
import { listPackages } from '../../bridge/packages';
import { startTranslations } from '../../i18n/start';
import { DEFAULTS, type PackagesPanelOptions } from './options';
import { PackagesPanel } from './PackagesPanel';
import pluginJson from './plugin.json';

await startTranslations(pluginJson.id);

// Nothing here is loaded later: chunks lie beside the app, and a nested panel would look for them beside itself.
export const plugin = new PanelPlugin<PackagesPanelOptions>(PackagesPanel).setPanelOptions((builder) =>
  builder
    .addMultiSelect({
      path: 'packages',
      name: 'Packages',
      description: 'All when none is chosen.',
      settings: {
        options: [],
        allowCustomValue: true,
        getOptions: async () => (await listPackages()).map(({ dnpName }) => ({ value: dnpName, label: dnpName })),
      },
    })
    .addRadio({
      path: 'layout',
      name: 'Layout',
      defaultValue: DEFAULTS.layout,
      settings: {
        options: [
          { value: 'list', label: 'List' },
          { value: 'compact', label: 'Compact' },
        ],
      },
    })
);
