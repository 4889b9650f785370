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
