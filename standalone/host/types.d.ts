// Resolved by ../build.ts to the file inside @grafana/runtime that holds the component: the public entry exports
// PluginPage but not its setter, and both must be the same instance.
declare module 'runtime-plugin-page' {
  import type { PluginPageType } from '@grafana/runtime';
  export function setPluginPage(component: PluginPageType): void;
}

declare module 'systemjs/dist/*';

// Version 5, which Grafana itself still mounts around everything; only what the host page uses of it.
declare module 'react-router-dom' {
  import type { ComponentType, ReactNode } from 'react';
  export const Router: ComponentType<{ history: unknown; children?: ReactNode }>;
}

declare module 'react-router-dom-v5-compat' {
  import type { ComponentType, ReactNode } from 'react';
  export const CompatRouter: ComponentType<{ children?: ReactNode }>;
  export const Routes: ComponentType<{ children?: ReactNode }>;
  export const Route: ComponentType<{ path: string; element: ReactNode }>;
  export function useLocation(): { pathname: string; search: string };
  export function useNavigate(): (to: string) => void;
}
