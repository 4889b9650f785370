/**
 * Generated dashboards match Grafana's own types (@grafana/schema, in the version that the plugin is built with): each is
 * written as a literal and compiled. That covers members, types and enumerations of the dashboard and of its text panels. It
 * does not prove that a running Grafana stores and displays them.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { afterAll, expect, it } from 'vitest';
import { chooseDashboards } from '../../backend-bridge/src/cli/dashboards/run.ts';
import { dashboardsOf } from '../../backend-bridge/src/packages/dashboards/dashboards.ts';
import { MANIFEST, registered } from '../../backend-bridge/src/packages/dashboards/dashboards.testing.ts';
import { loadFolder } from '../../backend-bridge/src/provisioning/loadFolder.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
// Below the root, so that the package with the types is resolved.
const cache = path.join(ROOT, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(path.join(cache, 'dashboards-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A type whose enumerations are replaced by their values, because JSON cannot name them. */
const WIRE = `type Wire<T> =
  T extends number ? (\`\${T}\` extends \`\${infer N extends number}\` ? N : T)
  : T extends string ? \`\${T}\`
  : T extends (infer E)[] ? Wire<E>[]
  : T extends object ? { [K in keyof T]: Wire<T[K]> }
  : T;`;

/** Compiler errors for JSON as a dashboard, and for the options of its text panels. */
function complaints(models: unknown[]): string[] {
  const file = path.join(folder, 'dashboards.ts');
  const literals = models.map((model) => JSON.stringify(model)).join(',\n');
  writeFileSync(
    file,
    `import type { Dashboard } from '@grafana/schema';
import type { Options } from '@grafana/schema/dist/esm/raw/composable/text/panelcfg/x/TextPanelCfg_types.gen';
${WIRE}
export const all: Wire<Dashboard>[] = [${literals}];
export const texts: Wire<Options>[] = [${models.flatMap(textOptions).join(',\n')}];
`
  );
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  });
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

function textOptions(model: unknown): string[] {
  const { panels = [] } = model as { panels?: { type?: string; options?: unknown }[] };
  return panels.filter(({ type }) => type === 'text').map(({ options }) => JSON.stringify(options));
}

it('dashboards generated from manifests match', () => {
  const { chain: _chain, exposable: _exposable, ...plain } = MANIFEST;
  const models = [MANIFEST, plain].map((manifest) => dashboardsOf(registered(manifest))[0]!.dashboard);
  expect(complaints(models)).toEqual([]);
}, 120_000);

it('dashboards that `nodebell dashboards` writes for the example packages match, including those of the packages', async () => {
  const { packages } = await loadFolder(path.join(ROOT, 'provisioning', 'nodebell'), {});
  const { chosen, notes } = chooseDashboards(packages);
  expect([notes, chosen.map(({ title }) => title)]).toEqual([
    [],
    ['ember.example.eth', 'Ember', 'hostmetrics.example.eth', 'projector.example.eth'],
  ]);
  expect(complaints(chosen.map(({ dashboard }) => dashboard))).toEqual([]);
}, 120_000);

it('the provisioned node overview matches', () => {
  const file = path.join(ROOT, 'provisioning', 'dashboards', 'node-overview.json');
  expect(complaints([JSON.parse(readFileSync(file, 'utf8'))])).toEqual([]);
}, 120_000);

it('invalid dashboards do not match', () => {
  const good = dashboardsOf(registered())[0]!.dashboard!;
  const bad = [
    { ...good, schemaVersion: '42' },
    { ...good, panels: [{ title: 'without a type' }] },
    { ...good, links: [{ title: 'x', type: 'nothing that is known' }] },
    { ...good, tags: 'nodebell' },
    { ...good, nobodyKnowsThis: true },
    { ...good, panels: [{ type: 'text', options: { mode: 'poetry', content: 'x' } }] },
  ];
  for (const model of bad) {
    expect(complaints([model])).not.toEqual([]);
  }
}, 120_000);
