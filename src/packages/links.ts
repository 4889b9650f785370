/** The links of a package: their order, their icons and their words. Pure. */
import type { IconName } from '@grafana/ui';
import type { LINK_KINDS, PackageLink } from '@nodebell/contract/package.ts';

type Kind = (typeof LINK_KINDS)[number];

interface KindSign {
  icon: IconName;
  /** On a card. */
  short: string;
  /** On a button. */
  long: string;
}

const SIGNS: Record<Exclude<Kind, 'other'>, KindSign> = {
  ui: { icon: 'monitor', short: 'UI', long: 'Open UI' },
  api: { icon: 'brackets-curly', short: 'API', long: 'Querying API' },
  engine: { icon: 'brackets-curly', short: 'Engine API', long: 'Engine API' },
  gateway: { icon: 'exchange-alt', short: 'Gateway', long: 'Gateway' },
  homepage: { icon: 'home-alt', short: 'Homepage', long: 'Homepage' },
  report: { icon: 'bug', short: 'Report', long: 'Report an issue' },
};

/** What is used most comes first; the author's own keys keep their order behind. */
const ORDER: Kind[] = ['ui', 'api', 'engine', 'gateway', 'homepage', 'other', 'report'];

export const sortLinks = (links: readonly PackageLink[]): PackageLink[] =>
  links.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));

/** The sign of a link. A key that nobody predefined is its own word, and has no icon. */
export function linkSign({ kind, key }: PackageLink): Omit<KindSign, 'icon'> & { icon: IconName | undefined } {
  return kind === 'other' ? { icon: undefined, short: key, long: key } : SIGNS[kind];
}

/** What a link takes beside its word, and its icon with it, in widths of a letter. */
const AROUND_LINK = 4;
const ICON = 3;
const MOST = 3;

/**
 * How many of the first links stand beside each other without being cut off; the rest is in a menu.
 * @param room in widths of a letter
 */
export function countThatFit(links: readonly PackageLink[], room: number): number {
  let left = room;
  const fitting = links.findIndex((link, index) => {
    const { icon, short } = linkSign(link);
    left -= short.length + AROUND_LINK + (icon ? ICON : 0);
    return index >= MOST || left < 0;
  });
  // One that is too long by itself is cut off rather than not shown.
  return fitting === -1 ? links.length : Math.max(fitting, Math.min(1, links.length));
}
