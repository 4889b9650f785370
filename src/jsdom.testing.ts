/** Functions of browsers that @grafana/ui uses as it loads, and that jsdom lacks. */
const ignore = () => undefined;

Object.assign(window, {
  matchMedia: () => ({ matches: false, addEventListener: ignore, removeEventListener: ignore }),
  ResizeObserver: class {
    observe = ignore;
    unobserve = ignore;
    disconnect = ignore;
  },
});
