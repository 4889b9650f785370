/** Lists the routes of an Express app. Express has no public API for it, so this records calls of its routers. */
import express from 'express';

interface Route {
  path: string;
  methods: Record<string, boolean>;
}
interface Mounted {
  routes: Route[];
  children: Array<{ path: string; router: object }>;
}

/** @returns a function that returns the routes of all apps created since, as `METHOD /path/{parameter}` */
export function watchRoutes(): () => string[] {
  const routers = new Map<object, Mounted>();
  const of = (router: object): Mounted => {
    const known = routers.get(router) ?? { routes: [], children: [] };
    routers.set(router, known);
    return known;
  };
  const prototype = express.Router.prototype as {
    use: (...args: unknown[]) => unknown;
    route: (path: string) => Route;
  };
  const { use, route } = prototype;
  prototype.use = function (this: object, ...args: unknown[]) {
    const path = typeof args[0] === 'string' ? args[0] : '/';
    for (const one of args.flat()) {
      if (typeof one === 'function' && 'stack' in one) {
        of(this).children.push({ path, router: one });
      }
    }
    return use.apply(this, args);
  };
  prototype.route = function (this: object, path: string) {
    const made = route.call(this, path);
    of(this).routes.push(made);
    return made;
  };
  return () => {
    Object.assign(prototype, { use, route });
    const mounted = new Set([...routers.values()].flatMap(({ children }) => children.map(({ router }) => router)));
    const list = (router: object, base: string): string[] => {
      const { routes, children } = of(router);
      return [
        ...routes.flatMap(({ path, methods }) =>
          Object.keys(methods)
            .filter((method) => method !== '_all')
            .map((method) => `${method.toUpperCase()} ${written(`${base}${path}`)}`)
        ),
        ...children.flatMap((child) => list(child.router, `${base}${child.path === '/' ? '' : child.path}`)),
      ];
    };
    return [...routers.keys()].filter((router) => !mounted.has(router)).flatMap((router) => list(router, ''));
  };
}

/** In the notation of OpenAPI. */
const written = (path: string): string => path.replace(/[:*](\w+)/g, '{$1}').replace(/(.)\/$/, '$1');
