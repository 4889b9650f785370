import { PanelPlugin } from '@grafana/data';
import { startTranslations } from '../../i18n/start';
import { t } from '../../i18n/t';
import { packageChoices } from '../../packages/queries';
import { DEFAULTS, type ThresholdsPanelOptions } from './options';
import { ThresholdsPanel } from './ThresholdsPanel';
import pluginJson from './plugin.json';

await startTranslations(pluginJson.id);

// No dynamic imports: a nested panel would look for the app's chunks in its own folder.
export const plugin = new PanelPlugin<ThresholdsPanelOptions>(ThresholdsPanel).setPanelOptions((builder) =>
  builder
    .addMultiSelect({
      path: 'packages',
      name: t('panels.options.packages', 'Packages'),
      description: t('panels.options.all', 'All if empty.'),
      settings: packageChoices(({ endpoints }) => endpoints > 0),
    })
    .addBooleanSwitch({
      path: 'onlySliders',
      name: t('panels.options.only-sliders', 'Only endpoints with a slider'),
      defaultValue: DEFAULTS.onlySliders,
    })
);
