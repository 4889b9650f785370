/** Options of the thresholds panel, stored in the dashboard's JSON. */
export interface ThresholdsPanelOptions {
  /** Package names; empty means all. */
  packages: string[];
  /** Only endpoints that have a slider. */
  onlySliders: boolean;
}

export const DEFAULTS: ThresholdsPanelOptions = { packages: [], onlySliders: false };

/** Reads the options of a dashboard, which can be edited by hand; invalid values become defaults. */
export function readOptions(options: unknown): ThresholdsPanelOptions {
  const given: Partial<Record<keyof ThresholdsPanelOptions, unknown>> =
    typeof options === 'object' && options !== null ? options : {};
  return {
    packages: Array.isArray(given.packages) ? given.packages.filter((name) => typeof name === 'string') : [],
    onlySliders: given.onlySliders === true,
  };
}
