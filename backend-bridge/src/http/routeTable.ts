/** Which methods a path knows: what a 405 must say (RFC 9110, section 15.5.6). */
import { pathToRegexp } from 'path-to-regexp';

/** What `router.listRoutes()` answers (router 2.3, README); the types of Express do not know it yet. */
interface RouteLister {
  listRoutes(): { path: string | RegExp; methods?: string[]; router?: RouteLister }[];
}

export interface KnownRoute {
  path: RegExp;
  /** Upper case, with HEAD where there is GET. */
  methods: string[];
}

/** @param router of an app; routers mounted in it are listed too */
export function listRoutes(router: unknown, prefix = ''): KnownRoute[] {
  return (router as RouteLister).listRoutes().flatMap(({ path, methods, router: mounted }) => {
    if (typeof path !== 'string') {
      return [];
    }
    const whole = prefix + (path === '/' ? '' : path);
    // `.all()` is a guard, not something to offer.
    const offered = (methods ?? []).filter((method) => method !== '*').map((method) => method.toUpperCase());
    return mounted ? listRoutes(mounted, whole) : [{ path: pathToRegexp(whole || '/').regexp, methods: offered }];
  });
}

/** @returns methods of the routes that match, sorted; empty when none does */
export function allowedMethods(routes: readonly KnownRoute[], path: string): string[] {
  return [...new Set(routes.filter((route) => route.path.test(path)).flatMap(({ methods }) => methods))].sort();
}
