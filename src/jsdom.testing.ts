/** Before each file of component tests: functions of browsers that @grafana/ui needs, and that jsdom lacks. */
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

const ignore = () => undefined;

Object.assign(window, {
  matchMedia: () => ({ matches: false, addEventListener: ignore, removeEventListener: ignore }),
  ResizeObserver: class {
    observe = ignore;
    unobserve = ignore;
    disconnect = ignore;
  },
  IntersectionObserver: class {
    observe = ignore;
    unobserve = ignore;
    disconnect = ignore;
  },
  CSS: { supports: () => false },
});
Object.assign(Element.prototype, { scrollTo: ignore });
Object.assign(HTMLCanvasElement.prototype, {
  getContext: () => ({ measureText: (text: string) => ({ width: 8 * text.length }) }),
});

// Only against hanging: what is loaded when it is first shown takes seconds on a busy machine.
configure({ asyncUtilTimeout: 30_000 });
afterEach(cleanup);
