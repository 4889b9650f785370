/** The links of a package: their order, their icons and their words. Pure. */
import type { IconName } from '@grafana/ui';
import type { LINK_KINDS, PackageLink } from '@nodebell/contract/package.ts';
import { t } from '../i18n/t';

type Kind = (typeof LINK_KINDS)[number];

interface KindSign {
  icon: IconName;
  /** On a card. */
  short: string;
  /** On a button. */
  long: string;
}

function signOf(kind: Exclude<Kind, 'other'>): KindSign {
  switch (kind) {
    case 'ui':
      return { icon: 'monitor', short: t('packages.link.ui-short', 'UI'), long: t('packages.link.ui', 'Open UI') };
    case 'api':
      return {
        icon: 'brackets-curly',
        short: t('packages.link.api-short', 'API'),
        long: t('packages.link.api', 'Query API'),
      };
    case 'engine': {
      const words = t('packages.link.engine', 'Engine API');
      return { icon: 'brackets-curly', short: words, long: words };
    }
    case 'gateway': {
      const words = t('packages.link.gateway', 'Gateway');
      return { icon: 'exchange-alt', short: words, long: words };
    }
    case 'homepage': {
      const words = t('packages.link.homepage', 'Homepage');
      return { icon: 'home-alt', short: words, long: words };
    }
    case 'report':
      return {
        icon: 'bug',
        short: t('packages.link.report-short', 'Report'),
        long: t('packages.link.report', 'Report an issue'),
      };
  }
}

/** What is used most comes first; the author's own keys keep their order behind. */
const ORDER: Kind[] = ['ui', 'api', 'engine', 'gateway', 'homepage', 'other', 'report'];

export const sortLinks = (links: readonly PackageLink[]): PackageLink[] =>
  links.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));

/** The sign of a link. A key that nobody predefined is its own word, and has no icon. */
export function linkSign({ kind, key }: PackageLink): Omit<KindSign, 'icon'> & { icon: IconName | undefined } {
  return kind === 'other' ? { icon: undefined, short: key, long: key } : signOf(kind);
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
