/** Validation of links and how they open. */
import { safeLink } from '@nodebell/contract/text.ts';
import { config, locationService } from '@grafana/runtime';
import type { MouseEvent } from 'react';

export interface LinkProps {
  href: string;
  target?: '_blank';
  rel?: 'noopener noreferrer';
  onClick?: (event: MouseEvent) => void;
}

/** The path below Grafana's own address; undefined for other sites. */
function ownPath(link: string): string | undefined {
  if (link.startsWith('/')) {
    return config.appSubUrl && link.startsWith(`${config.appSubUrl}/`) ? link.slice(config.appSubUrl.length) : link;
  }
  const base = `${window.location.origin}${config.appSubUrl}/`;
  return link.startsWith(base) ? link.slice(base.length - 1) : undefined;
}

/** Links within Grafana open in place, others in a new tab without opener or referrer; undefined when not allowed. */
export function linkProps(link: string): LinkProps | undefined {
  const safe = safeLink(link);
  if (safe === undefined) {
    return undefined;
  }
  const path = ownPath(safe);
  if (path === undefined) {
    return { href: safe, target: '_blank', rel: 'noopener noreferrer' };
  }
  return {
    href: `${config.appSubUrl}${path}`,
    onClick: (event) => {
      if (event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey) {
        event.preventDefault();
        locationService.push(path);
      }
    },
  };
}
