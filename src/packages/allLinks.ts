/** All package links as one searchable list. Pure. */
import type { PackageLink, PackageSummary } from '@nodebell/contract/package.ts';
import { linkLabel, sortLinks } from './links';

/** A link with its package. */
export interface PlacedLink extends PackageLink {
  dnpName: string;
  icon: PackageSummary['icon'];
}

/** Links of all packages, sorted by package name; each package keeps its link order. */
export const allLinks = (packages: readonly PackageSummary[]): PlacedLink[] =>
  packages
    .toSorted((a, b) => a.dnpName.localeCompare(b.dnpName))
    .flatMap(({ dnpName, icon, links }) => sortLinks(links).map((link) => ({ ...link, dnpName, icon })));

/** Links matching every search term in the package name, label or URL. */
export function findLinks(links: PlacedLink[], text: string): PlacedLink[] {
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean);
  return links.filter((link) => {
    const where = `${link.dnpName} ${link.key} ${linkLabel(link).long} ${link.url}`.toLowerCase();
    return terms.every((term) => where.includes(term));
  });
}
