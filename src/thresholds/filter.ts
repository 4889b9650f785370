/** Which packages and endpoints are shown. Pure. */
import type { Endpoint, EndpointPackage } from '@nodebell/contract/endpoint.ts';

export interface Shown {
  one: EndpointPackage;
  /** Those of its endpoints that match. */
  endpoints: readonly Endpoint[];
}

const folded = (text: string) => text.normalize('NFKC').toLowerCase();

/** Ten thousand endpoints are searched at each key; their text is put together once. */
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
 * Every word must stand in the name of the package, or in title, description, category or correlationId of the endpoint. When the
 * name alone has them all, the package is shown whole.
 */
export function search(packages: readonly EndpointPackage[], q: string): Shown[] {
  const words = folded(q).split(/\s+/).filter(Boolean);
  return packages.flatMap((one) => {
    const name = folded(one.dnpName);
    const left = words.filter((word) => !name.includes(word));
    if (left.length === 0) {
      return [{ one, endpoints: one.endpoints }];
    }
    const endpoints = one.endpoints.filter((endpoint) => left.every((word) => textOf(endpoint).includes(word)));
    return endpoints.length > 0 ? [{ one, endpoints }] : [];
  });
}

/** The categories of the endpoints, by name. */
export function categoriesOf(packages: readonly EndpointPackage[]): string[] {
  const found = new Set(packages.flatMap(({ endpoints }) => endpoints.map(({ category }) => category ?? '')));
  found.delete('');
  return [...found].sort((a, b) => a.localeCompare(b));
}

/**
 * How many of the packages fit into a number of rows; a folded one is a row by itself. At least one does.
 */
export function fitting(shown: readonly Shown[], rows: number, isOpen: (dnpName: string) => boolean): number {
  let left = rows;
  const end = shown.findIndex(({ one, endpoints }) => {
    left -= isOpen(one.dnpName) ? 1 + endpoints.length : 1;
    return left < 0;
  });
  return end === -1 ? shown.length : Math.max(1, end);
}
