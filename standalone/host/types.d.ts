// Resolved by ../build.ts to the file inside @grafana/runtime that holds the component: the public entry exports
// PluginPage but not its setter, and both must be the same instance.
declare module 'runtime-plugin-page' {
  import type { PluginPageType } from '@grafana/runtime';
  export function setPluginPage(component: PluginPageType): void;
}

declare module 'systemjs/dist/*';

// Version 5, which Grafana itself still mounts around everything; only what the host page uses of it.
declare module 'react-router-dom' {
  export const Router: React.ComponentType<React.PropsWithChildren<{ history: unknown }>>;
}

declare module 'react-router-dom-v5-compat' {
  export const CompatRouter: React.ComponentType<React.PropsWithChildren>;
  export const Routes: React.ComponentType<React.PropsWithChildren>;
  export const Route: React.ComponentType<{ path: string; element: React.ReactNode }>;
  export function useLocation(): { pathname: string; search: string };
}
