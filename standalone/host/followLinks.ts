import { locationService } from '@grafana/runtime';

/**
 * Grafana routes each click on a link without a `target` to one of its own pages, even for downloads
 * (`download`), unless the event was already handled (`interceptLinkClicks` in its source).
 */
export function followLinks(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!link || link.hasAttribute('target') || event.defaultPrevented || event.ctrlKey || event.metaKey) {
    return;
  }
  event.preventDefault();
  locationService.push(link.getAttribute('href')!);
}
