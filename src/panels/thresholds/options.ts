/** What an editor of a dashboard chooses for the thresholds panel; dashboards keep it as JSON. */
export interface ThresholdsPanelOptions {
  /** Names of packages; none means all. */
  packages: string[];
  /** Only endpoints that have a slider. */
  onlySliders: boolean;
}

export const DEFAULTS: ThresholdsPanelOptions = { packages: [], onlySliders: false };

/** Options as they stand in a dashboard, which anybody may have written by hand. */
export function readOptions(options: unknown): ThresholdsPanelOptions {
  const given: Partial<Record<keyof ThresholdsPanelOptions, unknown>> =
    typeof options === 'object' && options !== null ? options : {};
  return {
    packages: Array.isArray(given.packages) ? given.packages.filter((name) => typeof name === 'string') : [],
    onlySliders: given.onlySliders === true,
  };
}
