import { PanelPlugin } from '@grafana/data';
import { startTranslations } from '../../i18n/start';
import { t } from '../../i18n/t';
import { packageChoices } from '../../packages/queries';
import { DEFAULTS, type PackagesPanelOptions } from './options';
import { PackagesPanel } from './PackagesPanel';
import pluginJson from './plugin.json';

await startTranslations(pluginJson.id);

// No lazy loading here: chunks are next to the app, and a nested panel would resolve them relative to itself.
export const plugin = new PanelPlugin<PackagesPanelOptions>(PackagesPanel).setPanelOptions((builder) =>
  builder
    .addMultiSelect({
      path: 'packages',
      name: t('panels.options.packages', 'Packages'),
      description: t('panels.options.all', 'All if empty.'),
      settings: packageChoices(),
    })
    .addRadio({
      path: 'layout',
      name: t('panels.options.layout', 'Layout'),
      defaultValue: DEFAULTS.layout,
      settings: {
        options: [
          { value: 'list', label: t('panels.options.list', 'List') },
          { value: 'compact', label: t('panels.options.compact', 'Compact') },
        ],
      },
    })
);
