/** Which packages of the list are shown. Pure. */
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

/** The filter as it stands in the URL; what is not set is left out. */
export function writeFilter({ q, category, type }: PackageFilter): Record<string, string> {
  return { ...(q && { q }), ...(category && { category }), ...(type && { type }) };
}

const folded = (text: string) => text.normalize('NFKC').toLowerCase();

/** Every word must stand somewhere in name, description, keywords or categories; category and type must be the same. */
export function filterPackages(packages: readonly PackageSummary[], filter: PackageFilter): PackageSummary[] {
  const words = folded(filter.q).split(/\s+/).filter(Boolean);
  return packages.filter((one) => {
    const text = folded(
      [one.dnpName, one.shortDescription ?? '', one.upstreamVersion ?? '', ...one.keywords, ...one.categories].join(
        '\n'
      )
    );
    return (
      (filter.category === undefined || one.categories.includes(filter.category)) &&
      (filter.type === undefined || one.type === filter.type) &&
      words.every((word) => text.includes(word))
    );
  });
}

/** The values present, by name, each with the number of its packages. */
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
