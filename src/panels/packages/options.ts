/** Options of the packages panel, stored in the dashboard JSON. */
export interface PackagesPanelOptions {
  /** Package names; empty means all. */
  packages: string[];
  /** `list`: labeled links below the package. `compact`: one row per package, links as icons. */
  layout: 'list' | 'compact';
}

export const DEFAULTS: PackagesPanelOptions = { packages: [], layout: 'list' };

/** Parses options from a dashboard, which may be edited by hand. */
export function readOptions(options: unknown): PackagesPanelOptions {
  const given: Partial<Record<keyof PackagesPanelOptions, unknown>> =
    typeof options === 'object' && options !== null ? options : {};
  return {
    packages: Array.isArray(given.packages) ? given.packages.filter((name) => typeof name === 'string') : [],
    layout: given.layout === 'compact' ? 'compact' : 'list',
  };
}
