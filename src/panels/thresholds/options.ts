import { z } from 'zod';
import { reading, strings } from '../../components/panelOptions';

const optionsSchema = z.object({
  /** Package names; empty means all. */
  packages: strings,
  /** Only endpoints that have a slider. */
  onlySliders: z.boolean().catch(false),
});
export type ThresholdsPanelOptions = z.output<typeof optionsSchema>;
export const readOptions = reading(optionsSchema);
export const DEFAULTS = readOptions({});
