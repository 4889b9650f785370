import { z } from 'zod';
import { reading, strings } from '../../components/panelOptions';

const optionsSchema = z.object({
  /** Package names; empty means all. */
  packages: strings,
  /** `list`: labeled links below the package. `compact`: one row per package, links as icons. */
  layout: z.enum(['list', 'compact']).catch('list'),
});
export type PackagesPanelOptions = z.output<typeof optionsSchema>;
export const readOptions = reading(optionsSchema);
export const DEFAULTS = readOptions({});
