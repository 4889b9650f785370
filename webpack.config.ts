import { copyFileSync } from 'node:fs';
import path from 'node:path';
import type { Configuration, RuleSetRule } from 'webpack';

// The stock configuration reads src/plugin.json while it is being imported. The top-level plugin.json is the only copy
// that anyone edits, so the one it wants is made here, before the import.
copyFileSync('plugin.json', path.join('src', 'plugin.json'));
const { default: grafanaConfig } = await import('./.config/webpack/webpack.config.ts');

interface SwcRule extends RuleSetRule {
  use: { loader: string; options: { jsc: Record<string, unknown> } };
}

const isSwcRule = (rule: unknown): rule is SwcRule =>
  (rule as { use?: { loader?: string } }).use?.loader === 'swc-loader';

/** The stock build calls React.createElement; React 18 and 19 share only `react/jsx-runtime`, which the host provides. */
function useAutomaticJsx(config: Configuration) {
  const rule = config.module?.rules?.find(isSwcRule);
  if (!rule) {
    throw new Error(
      '.config/webpack/webpack.config.ts has no swc-loader rule: adapt webpack.config.ts to its new shape'
    );
  }
  rule.use.options.jsc['transform'] = { react: { runtime: 'automatic' } };
}

export default async function config(env: Record<string, true | string>): Promise<Configuration> {
  const base = await grafanaConfig(env);
  useAutomaticJsx(base);
  return {
    ...base,
    cache: {
      type: 'filesystem',
      buildDependencies: {
        config: ['webpack.config.ts', '.config/webpack/webpack.config.ts'].map((file) => path.resolve(file)),
      },
    },
    resolve: {
      ...base.resolve,
      alias: { '@nodebell/contract': path.resolve('backend-bridge', 'contract') },
    },
    // The shared code is TypeScript that Node runs as it is, so it names its neighbours with their extension.
    performance: { maxEntrypointSize: 60_000, maxAssetSize: 1_000_000 },
  };
}
