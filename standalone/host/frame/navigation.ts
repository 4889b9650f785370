import type { NavModelItem } from '@grafana/data';
import { useLocation } from 'react-router-dom-v5-compat';
import { bootData } from '../bootData.ts';

/** The menu entries from the root to the entry whose URL is the longest prefix of this path. */
export function findTrail(items: NavModelItem[], path: string): NavModelItem[] {
  let best: NavModelItem[] = [];
  let bestLength = 0;
  const visit = (item: NavModelItem, parents: NavModelItem[]) => {
    const trail = [...parents, item];
    const url = item.url ?? '';
    if (url && (path === url || path.startsWith(`${url}/`)) && url.length >= bestLength) {
      best = trail;
      bestLength = url.length;
    }
    item.children?.forEach((child) => visit(child, trail));
  };
  items.forEach((item) => visit(item, []));
  return best;
}

/** The breadcrumbs, by Grafana's rule: a page whose `pageNav` has the URL of its menu entry replaces the entry. */
export function crumbsOf(trail: NavModelItem[], pageNav: NavModelItem | undefined): NavModelItem[] {
  const pages: NavModelItem[] = [];
  for (let item = pageNav; item; item = item.parentItem) {
    pages.unshift(item);
  }
  const replaced = pages.length > 0 && pages[0]?.url === trail.at(-1)?.url;
  return [...(replaced ? trail.slice(0, -1) : trail), ...pages].filter((item) => !item.hideFromBreadcrumbs);
}

export const useTrail = (): NavModelItem[] => findTrail(bootData.navTree, useLocation().pathname);
