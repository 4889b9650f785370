import { locationService } from '@grafana/runtime';

/**
 * Grafana takes each click on a link without a `target` as a way to one of its own pages, also where the link is to be saved
 * (`download`), unless somebody has dealt with it already (`interceptLinkClicks` in its source).
 */
export function followLinks(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!link || link.hasAttribute('target') || event.defaultPrevented || event.ctrlKey || event.metaKey) {
    return;
  }
  event.preventDefault();
  locationService.push(link.getAttribute('href')!);
}
