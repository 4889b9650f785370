/** Addresses in a manifest. */
import { LINK_KINDS, type PackageLink } from '../../../contract/package.ts';
import { safeLink } from '../../../contract/text.ts';

/** By key in lower case. Keys of real packages stand beside those of the specification. */
const KINDS: Record<string, PackageLink['kind']> = {
  homepage: 'homepage',
  ui: 'ui',
  webui: 'ui',
  api: 'api',
  queryingapi: 'api',
  endpoint: 'api',
  engineapi: 'engine',
  apiengine: 'engine',
  gateway: 'gateway',
  report: 'report',
};

/** An address of the web that a page may offer. */
export function webLink(address: unknown): string | undefined {
  const safe = typeof address === 'string' && address.length <= 2_000 ? safeLink(address) : undefined;
  return safe?.startsWith('http') ? safe : undefined;
}

export const kindOfLink = (key: string): PackageLink['kind'] =>
  (Object.hasOwn(KINDS, key.toLowerCase()) ? KINDS[key.toLowerCase()] : undefined) ?? 'other';

/** Links that are safe, the predefined first; the issue tracker as `report`. */
export function readLinks(links: Record<string, string>, bugs: string | undefined): PackageLink[] {
  const all = Object.entries(links).flatMap(([key, address]) => {
    const url = address.length <= 2_000 ? safeLink(address) : undefined;
    return url === undefined ? [] : [{ key, kind: kindOfLink(key), url }];
  });
  const report = webLink(bugs);
  if (report !== undefined && !all.some(({ kind }) => kind === 'report')) {
    all.push({ key: 'report', kind: 'report', url: report });
  }
  return all.sort((a, b) => LINK_KINDS.indexOf(a.kind) - LINK_KINDS.indexOf(b.kind));
}

/** Where a browser can read a repository. */
export function repositoryLink({ url, directory }: { url: string; directory?: string }): string | undefined {
  if (url.length > 2_000) {
    return undefined;
  }
  const web = url
    .trim()
    .replace(/^git\+/, '')
    .replace(/^git@([\w.-]+):/, 'https://$1/')
    .replace(/^(?:ssh|git):\/\/(?:git@)?/, 'https://')
    .replace(/\.git$/, '');
  const link = webLink(web);
  const folder = directory?.replace(/^\.?\/+|\/+$/g, '');
  return link?.startsWith('https://github.com/') && folder && /^[\w./-]+$/.test(folder)
    ? `${link}/tree/HEAD/${folder}`
    : link;
}
