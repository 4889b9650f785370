import { PanelPlugin } from '@grafana/data';
import { listChains } from '../../bridge/chains';
import { startTranslations } from '../../i18n/start';
import { ChainsPanel } from './ChainsPanel';
import { DEFAULTS, type ChainsPanelOptions } from './options';
import pluginJson from './plugin.json';

await startTranslations(pluginJson.id);

// Nothing here is loaded later: chunks lie beside the app, and a nested panel would look for them beside itself.
export const plugin = new PanelPlugin<ChainsPanelOptions>(ChainsPanel).setPanelOptions((builder) =>
  builder
    .addMultiSelect({
      path: 'packages',
      name: 'Packages',
      description: 'All nodes when none is chosen.',
      settings: {
        options: [],
        allowCustomValue: true,
        getOptions: async () =>
          (await listChains()).nodes.map(({ dnpName, title }) => ({
            value: dnpName,
            label: dnpName,
            description: title,
          })),
      },
    })
    .addRadio({
      path: 'layout',
      name: 'Layout',
      defaultValue: DEFAULTS.layout,
      settings: {
        options: [
          { value: 'list', label: 'List' },
          { value: 'tiles', label: 'Tiles' },
        ],
      },
    })
    .addNumberInput({
      path: 'warningFrom',
      name: 'Warning from',
      description: 'Blocks behind. Without a figure the state alone decides.',
      settings: { min: 1, integer: true, placeholder: 'by state' },
    })
    .addNumberInput({
      path: 'errorFrom',
      name: 'Error from',
      description: 'Blocks behind.',
      settings: { min: 1, integer: true, placeholder: 'by state' },
    })
);
