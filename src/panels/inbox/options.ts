import { z } from 'zod';
import { PRIORITIES } from '@nodebell/contract/notification.ts';
import { reading, strings } from '../../components/panelOptions';

export const MOST_ROWS = 200;

const optionsSchema = z.object({
  /** Package names, or dashboard variables such as `$package`; empty means all. */
  dnpName: strings,
  /** Categories, or variables; empty means all. */
  category: strings,
  /** Empty means all. */
  priority: strings.transform((given) => PRIORITIES.filter((priority) => given.includes(priority))),
  show: z.enum(['all', 'unread', 'open']).catch('all'),
  /** Only notifications within the dashboard's time range. */
  timeRange: z.boolean().catch(true),
  /** Includes open threads from before that range. */
  keepOpen: z.boolean().catch(true),
  /** Maximum number of rows. */
  limit: z.coerce
    .number()
    .int()
    .positive()
    .catch(50)
    .transform((rows) => Math.min(rows, MOST_ROWS)),
});
export type InboxPanelOptions = z.output<typeof optionsSchema>;
export const readOptions = reading(optionsSchema);
export const DEFAULTS = readOptions({});
