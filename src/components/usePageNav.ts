import type { NavModelItem } from '@grafana/data';
import { config } from '@grafana/runtime';
import { useMemo } from 'react';
import { t } from '../i18n/t';
import { pathTo } from '../routes';

const titles = () => ({
  inbox: t('parts.page.inbox', 'Inbox'),
  thresholds: t('parts.page.thresholds', 'Thresholds'),
  packages: t('parts.page.packages', 'Packages'),
  chains: t('parts.page.chains', 'Chains'),
  report: t('parts.page.report', 'Report'),
  silences: t('parts.page.silences', 'Silences'),
  onCall: t('parts.page.on-call', 'On call'),
  channels: t('parts.page.channels', 'Channels'),
});

export type PageName = keyof ReturnType<typeof titles>;

/** The page of a path such as `/a/<id>/packages/x`; the inbox for any other path. */
export const pageOf = (path: string): PageName =>
  (Object.keys(titles()) as PageName[]).find((name) => path.startsWith(pathTo[name])) ?? 'inbox';

/**
 * Heading, breadcrumbs and document title in the user's language. Grafana takes them from `includes` of plugin.json, in English, unless
 * the page has a `pageNav`; it omits its own breadcrumb if both have the same URL (`buildBreadcrumbs`). The menu stays English.
 * @param child title of a page below this one, such as a package
 */
export function usePageNav(page: PageName, child?: string): NavModelItem {
  // Cached: Grafana updates its frame and the document title for each new object.
  return useMemo(() => {
    const nav = { text: titles()[page], url: `${config.appSubUrl}${pathTo[page]}` };
    return child === undefined ? nav : { text: child, parentItem: nav };
  }, [page, child]);
}
