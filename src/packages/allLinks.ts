/** The links of all packages as one list, and the search in it. Pure. */
import type { PackageLink, PackageSummary } from '@nodebell/contract/package.ts';
import { linkLabel, sortLinks } from './links';

/** A link and whose it is. */
export interface PlacedLink extends PackageLink {
  dnpName: string;
  icon: PackageSummary['icon'];
}

/** The package's own order of links, packages by name. */
export const allLinks = (packages: readonly PackageSummary[]): PlacedLink[] =>
  packages
    .toSorted((a, b) => a.dnpName.localeCompare(b.dnpName))
    .flatMap(({ dnpName, icon, links }) => sortLinks(links).map((link) => ({ ...link, dnpName, icon })));

/** Those in which each of the words occurs: in the package's name, the link's word or its address. */
export function findLinks(links: PlacedLink[], text: string): PlacedLink[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return links.filter((link) => {
    const where = `${link.dnpName} ${link.key} ${linkLabel(link).long} ${link.url}`.toLowerCase();
    return words.every((word) => where.includes(word));
  });
}
