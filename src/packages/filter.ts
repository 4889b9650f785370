/** Filters of the package list. Pure. */
import type { PackageSummary } from '@nodebell/contract/package.ts';

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

const normalize = (text: string) => text.normalize('NFKC').toLowerCase();

/** Matches every search term in name, description, keywords or categories, and the exact category and type. */
export function filterPackages(packages: readonly PackageSummary[], filter: PackageFilter): PackageSummary[] {
  const terms = normalize(filter.q).split(/\s+/).filter(Boolean);
  return packages.filter((one) => {
    const text = normalize(
      [one.dnpName, one.shortDescription ?? '', one.upstreamVersion ?? '', ...one.keywords, ...one.categories].join(
        '\n'
      )
    );
    return (
      (filter.category === undefined || one.categories.includes(filter.category)) &&
      (filter.type === undefined || one.type === filter.type) &&
      terms.every((term) => text.includes(term))
    );
  });
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
