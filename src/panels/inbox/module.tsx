import { FieldConfigProperty, PanelPlugin } from '@grafana/data';
import { PRIORITIES } from '@nodebell/contract/notification.ts';
import { listCategories } from '../../api/notifications';
import { startTranslations } from '../../i18n/start';
import { t } from '../../i18n/t';
import { packageChoices } from '../../packages/queries';
import { categoryName, priorityLabel } from '../../components/messages';
import { InboxPanel } from './InboxPanel';
import { DEFAULTS, MOST_ROWS, type InboxPanelOptions } from './options';
import pluginJson from './plugin.json';

await startTranslations(pluginJson.id);

const orVariable = () => t('panels.options.or-variable', 'All if empty. Accepts dashboard variables such as $package.');

/** The only field option is data links, with variables such as `${notification.dnpName}`. */
const KEPT: FieldConfigProperty[] = [FieldConfigProperty.Links];
const disableStandardOptions = Object.values(FieldConfigProperty).filter((property) => !KEPT.includes(property));

// No dynamic imports: a nested panel would look for the app's chunks in its own folder.
export const plugin = new PanelPlugin<InboxPanelOptions>(InboxPanel)
  .useFieldConfig({ disableStandardOptions })
  .setPanelOptions((builder) =>
    builder
      .addRadio({
        path: 'show',
        name: t('panels.options.show', 'Show'),
        defaultValue: DEFAULTS.show,
        settings: {
          options: [
            { value: 'all', label: t('inbox.tabs.all', 'All') },
            { value: 'unread', label: t('inbox.tabs.unread', 'Unread') },
            { value: 'open', label: t('inbox.tabs.open', 'Open') },
          ],
        },
      })
      .addMultiSelect({
        path: 'dnpName',
        name: t('panels.options.packages', 'Packages'),
        description: orVariable(),
        settings: packageChoices(),
      })
      .addMultiSelect({
        path: 'category',
        name: t('panels.options.categories', 'Categories'),
        description: orVariable(),
        settings: {
          options: [],
          allowCustomValue: true,
          getOptions: async () =>
            (await listCategories()).map(({ category }) => ({ value: category, label: categoryName(category) })),
        },
      })
      .addMultiSelect({
        path: 'priority',
        name: t('panels.options.priorities', 'Priorities'),
        description: t('panels.options.all', 'All if empty.'),
        settings: {
          options: [...PRIORITIES].reverse().map((value) => ({ value, label: priorityLabel(value) })),
        },
      })
      .addBooleanSwitch({
        path: 'timeRange',
        name: t('panels.options.time-range', 'Limit to the dashboard time range'),
        defaultValue: DEFAULTS.timeRange,
      })
      .addBooleanSwitch({
        path: 'keepOpen',
        name: t('panels.options.keep-open', 'Include open threads from before the time range'),
        defaultValue: DEFAULTS.keepOpen,
        showIf: ({ timeRange }) => timeRange,
      })
      .addNumberInput({
        path: 'limit',
        name: t('panels.options.rows', 'Maximum rows'),
        defaultValue: DEFAULTS.limit,
        settings: { min: 1, max: MOST_ROWS, integer: true },
      })
  );
