import { PanelPlugin } from '@grafana/data';
import { CHAINS } from '@nodebell/contract/api/chains.ts';
import { call } from '../../api/client';
import { startTranslations } from '../../i18n/start';
import { t } from '../../i18n/t';
import { ChainsPanel } from './ChainsPanel';
import { DEFAULTS, type ChainsPanelOptions } from './options';
import pluginJson from './plugin.json';

await startTranslations(pluginJson.id);

// No dynamic imports: a nested panel would look for the app's chunks in its own folder.
export const plugin = new PanelPlugin<ChainsPanelOptions>(ChainsPanel).setPanelOptions((builder) =>
  builder
    .addMultiSelect({
      path: 'packages',
      name: t('panels.options.packages', 'Packages'),
      description: t('panels.options.all-nodes', 'All nodes if none is selected.'),
      settings: {
        options: [],
        allowCustomValue: true,
        getOptions: async () =>
          (await call(CHAINS.listChains, {})).nodes.map(({ dnpName, title }) => ({
            value: dnpName,
            label: dnpName,
            description: title,
          })),
      },
    })
    .addRadio({
      path: 'layout',
      name: t('panels.options.layout', 'Layout'),
      defaultValue: DEFAULTS.layout,
      settings: {
        options: [
          { value: 'list', label: t('panels.options.list', 'List') },
          { value: 'tiles', label: t('panels.options.tiles', 'Tiles') },
        ],
      },
    })
    .addNumberInput({
      path: 'warningFrom',
      name: t('panels.options.warning-from', 'Warning threshold'),
      description: t('panels.options.warning-help', 'Blocks behind. If empty, only the node state counts.'),
      settings: { min: 1, integer: true, placeholder: t('panels.options.by-state', 'by state') },
    })
    .addNumberInput({
      path: 'errorFrom',
      name: t('panels.options.error-from', 'Error threshold'),
      description: t('panels.options.error-help', 'Blocks behind.'),
      settings: { min: 1, integer: true, placeholder: t('panels.options.by-state', 'by state') },
    })
);
