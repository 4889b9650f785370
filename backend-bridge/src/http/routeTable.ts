/** Which methods a path knows: what a 405 must say (RFC 9110, section 15.5.6). */

/** The part of Express's router that is read here; Express has no public list of its routes. */
interface Layer {
  match(path: string): boolean;
  path?: string;
  route?: { methods: Record<string, boolean> };
  handle?: { stack?: Layer[] };
}

/**
 * @param router of an app; routers mounted in it are searched too
 * @returns upper-case methods of the routes that match, sorted; empty when none does
 */
export function allowedMethods(router: unknown, path: string): string[] {
  const found = new Set<string>();
  collect((router as { stack?: Layer[] }).stack ?? [], path, found);
  if (found.has('GET')) {
    found.add('HEAD');
  }
  return [...found].sort();
}

function collect(stack: Layer[], path: string, found: Set<string>): void {
  for (const layer of stack) {
    if (!matches(layer, path)) {
      continue;
    }
    if (layer.route) {
      for (const [method, known] of Object.entries(layer.route.methods)) {
        // `_all` marks a route for every method: a guard, not something to offer.
        if (known && method !== '_all') {
          found.add(method.toUpperCase());
        }
      }
    } else if (layer.handle?.stack) {
      const rest = path.slice((layer.path ?? '').length);
      collect(layer.handle.stack, rest.startsWith('/') ? rest : `/${rest}`, found);
    }
  }
}

function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    // A path that cannot be decoded matches nothing.
    return false;
  }
}
