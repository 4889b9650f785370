/** Filters of the package list. Pure. */
import type { PackageSummary } from '@nodebell/contract/package.ts';
import { finder } from '../components/folded';

export interface PackageFilter {
  q: string;
  category: string | undefined;
  type: string | undefined;
}

export const readFilter = (search: URLSearchParams): PackageFilter => ({
  q: search.get('q')?.slice(0, 200) ?? '',
  category: search.get('category') || undefined,
  type: search.get('type') || undefined,
});

/** The filter as URL parameters; unset values are omitted. */
export function writeFilter({ q, category, type }: PackageFilter): Record<string, string> {
  return { ...(q && { q }), ...(category && { category }), ...(type && { type }) };
}

/** Matches every search term in name, description, keywords or categories, and the exact category and type. */
export function filterPackages(packages: readonly PackageSummary[], { q, ...filter }: PackageFilter): PackageSummary[] {
  const isFound = finder(q);
  return packages.filter(
    ({ dnpName, shortDescription = '', upstreamVersion = '', keywords, categories, type }) =>
      (filter.category === undefined || categories.includes(filter.category)) &&
      (filter.type === undefined || type === filter.type) &&
      isFound([dnpName, shortDescription, upstreamVersion, ...keywords, ...categories])
  );
}

/** Distinct values, sorted, with their package counts. */
export function optionsOf(
  packages: readonly PackageSummary[],
  valuesOf: (one: PackageSummary) => readonly string[]
): Array<{ value: string; count: number }> {
  const counts = new Map<string, number>();
  for (const value of packages.flatMap((one) => [...new Set(valuesOf(one))])) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, count]) => ({ value, count })).toSorted((a, b) => a.value.localeCompare(b.value));
}
