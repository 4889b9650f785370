/** Order, icons and labels of package links. Pure. */
import type { IconName } from '@grafana/ui';
import type { LINK_KINDS, PackageLink, PackageSummary } from '@nodebell/contract/package.ts';
import { t } from '../i18n/t';
import { finder } from './folded';

type Kind = (typeof LINK_KINDS)[number];

interface LinkLabel {
  icon: IconName;
  /** On a card. */
  short: string;
  /** On a button. */
  long: string;
}

/** A link with the same label everywhere. */
const same = (icon: IconName, label: string): LinkLabel => ({ icon, short: label, long: label });

const LABELS: Record<Exclude<Kind, 'other'>, () => LinkLabel> = {
  ui: () => ({ icon: 'monitor', short: t('packages.link.ui-short', 'UI'), long: t('packages.link.ui', 'Open UI') }),
  api: () => ({
    icon: 'brackets-curly',
    short: t('packages.link.api-short', 'API'),
    long: t('packages.link.api', 'Query API'),
  }),
  engine: () => same('brackets-curly', t('packages.link.engine', 'Engine API')),
  gateway: () => same('exchange-alt', t('packages.link.gateway', 'Gateway')),
  homepage: () => same('home-alt', t('packages.link.homepage', 'Homepage')),
  report: () => ({
    icon: 'bug',
    short: t('packages.link.report-short', 'Report'),
    long: t('packages.link.report', 'Report an issue'),
  }),
};

/** Most used first; custom links keep the author's order. */
const ORDER: Kind[] = ['ui', 'api', 'engine', 'gateway', 'homepage', 'other', 'report'];

/** Links that a browser can open. URLs of other schemes are on the page of the package, to copy. */
export const openable = (links: readonly PackageLink[]): PackageLink[] => links.filter(({ copyOnly }) => !copyOnly);

export const sortLinks = (links: readonly PackageLink[]): PackageLink[] =>
  links.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));

/** Label and icon of a link. Custom links use their key and have no icon. */
export function linkLabel({ kind, key }: PackageLink): Omit<LinkLabel, 'icon'> & { icon: IconName | undefined } {
  return kind === 'other' ? { icon: undefined, short: key, long: key } : LABELS[kind]();
}

/** Extra width of a link and of its icon, in characters. */
const AROUND_LINK = 4;
const ICON = 3;
const MOST = 3;

/**
 * Number of links that fit in one row; the rest goes into a menu.
 * @param room available width, in characters
 */
export function countThatFit(links: readonly PackageLink[], room: number): number {
  let left = room;
  const fitting = links.findIndex((link, index) => {
    const { icon, short } = linkLabel(link);
    left -= short.length + AROUND_LINK + (icon ? ICON : 0);
    return index >= MOST || left < 0;
  });
  // A single link that is too long is truncated, not hidden.
  return fitting === -1 ? links.length : Math.max(fitting, Math.min(1, links.length));
}

/** A link with its package. */
export interface PlacedLink extends PackageLink {
  dnpName: string;
  icon: PackageSummary['icon'];
}

/** Links of all packages, sorted by package name; each package keeps its link order. */
export const allLinks = (packages: readonly PackageSummary[]): PlacedLink[] =>
  packages
    .toSorted((a, b) => a.dnpName.localeCompare(b.dnpName))
    .flatMap(({ dnpName, icon, links }) => sortLinks(openable(links)).map((link) => ({ ...link, dnpName, icon })));

/** Links matching every search term in the package name, label or URL. */
export function findLinks(links: PlacedLink[], text: string): PlacedLink[] {
  const isFound = finder(text);
  return links.filter((link) => isFound([link.dnpName, link.key, linkLabel(link).long, link.url]));
}
