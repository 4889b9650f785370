/** What an editor of a dashboard chooses for the packages panel; dashboards keep it as JSON. */
export interface PackagesPanelOptions {
  /** Their names; none means all. */
  packages: string[];
  /** `list`: links with their words below the package. `compact`: one line each, links as icons. */
  layout: 'list' | 'compact';
}

export const DEFAULTS: PackagesPanelOptions = { packages: [], layout: 'list' };

/** Options as they stand in a dashboard, which anybody may have written by hand. */
export function readOptions(options: unknown): PackagesPanelOptions {
  const given: Partial<Record<keyof PackagesPanelOptions, unknown>> =
    typeof options === 'object' && options !== null ? options : {};
  return {
    packages: Array.isArray(given.packages) ? given.packages.filter((name) => typeof name === 'string') : [],
    layout: given.layout === 'compact' ? 'compact' : 'list',
  };
}
