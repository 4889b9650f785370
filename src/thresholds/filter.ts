/** Search over packages and endpoints. */
import type { Endpoint, EndpointPackage } from '@nodebell/contract/endpoint.ts';
import { folded } from '../components/folded';

export interface Shown {
  one: EndpointPackage;
  /** The endpoints that match. */
  endpoints: readonly Endpoint[];
}

/** Searchable text per endpoint: up to ten thousand are searched on every keystroke. */
const texts = new WeakMap<Endpoint, string>();

function textOf(endpoint: Endpoint): string {
  const known = texts.get(endpoint);
  if (known !== undefined) {
    return known;
  }
  const { title, description = '', category = '', correlationId } = endpoint;
  const text = folded([title, description, category, correlationId].join('\n'));
  texts.set(endpoint, text);
  return text;
}

/**
 * Every search term must occur in the name of the package, or in title, description, category or correlationId of the endpoint.
 * If the name alone matches, all endpoints of the package are shown.
 */
export function search(packages: readonly EndpointPackage[], q: string): Shown[] {
  const terms = folded(q).split(/\s+/).filter(Boolean);
  return packages.flatMap((one) => {
    const name = folded(one.dnpName);
    const left = terms.filter((term) => !name.includes(term));
    if (left.length === 0) {
      return [{ one, endpoints: one.endpoints }];
    }
    const endpoints = one.endpoints.filter((endpoint) => left.every((term) => textOf(endpoint).includes(term)));
    return endpoints.length > 0 ? [{ one, endpoints }] : [];
  });
}

/** The categories of the endpoints, sorted by name. */
export function categoriesOf(packages: readonly EndpointPackage[]): string[] {
  const found = new Set(packages.flatMap(({ endpoints }) => endpoints.map(({ category }) => category ?? '')));
  found.delete('');
  return [...found].sort((a, b) => a.localeCompare(b));
}

/** Number of packages that fit into a number of rows; a collapsed one takes one row. At least 1. */
export function fitting(shown: readonly Shown[], rows: number, isOpen: (dnpName: string) => boolean): number {
  let left = rows;
  const end = shown.findIndex(({ one, endpoints }) => {
    left -= isOpen(one.dnpName) ? 1 + endpoints.length : 1;
    return left < 0;
  });
  return end === -1 ? shown.length : Math.max(1, end);
}
