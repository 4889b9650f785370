import { expect, test as base } from '@grafana/plugin-e2e';
import { Grafana } from './grafana.ts';

export { expect };

interface Fixtures {
  /** Grafana's API as the user of the test. */
  grafana: Grafana;
}

/** The tests of `@grafana/plugin-e2e`, whose pages and selectors fit the version of that Grafana. */
export const test = base.extend<Fixtures>({
  // Not of the page, which would load Grafana in a browser also for tests of the API.
  grafana: async ({ context }, use) => use(new Grafana(context.request)),
});
