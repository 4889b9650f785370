/** For component tests in Node: libraries load style sheets, which only a bundler understands. */
import { registerHooks } from 'node:module';

registerHooks({
  load: (url, context, next) =>
    url.endsWith('.css') ? { format: 'commonjs', source: '', shortCircuit: true } : next(url, context),
});
