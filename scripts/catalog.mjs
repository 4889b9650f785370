/**
 * Runs Grafana's plugin validator on the packaged plugin, without the analyzers that need a network or an account. The validator is installed
 * from the Go module proxy and semgrep, for its rules about sources, from PyPI; where that fails, the reason is returned instead.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './run.mjs';

const VALIDATOR = 'github.com/grafana/plugin-validator/pkg/cmd/plugincheck2@v0.41.0';
const CACHE = path.join(ROOT, 'node_modules', '.cache', 'catalog');
const MINUTES_10 = 600_000;

/** They need a network beside the registries, an account or a model. */
const OFF = [
  ...['brokenlinks', 'codediff', 'legacyplatform', 'llmreview', 'metadatavalid', 'org', 'osv-scanner', 'plugindocs'],
  ...['provenance', 'published', 'safelinks', 'signature', 'version', 'virusscan'],
];

const run = (command, args, options) =>
  promisify(execFile)(command, args, { timeout: MINUTES_10, maxBuffer: Infinity, ...options });

/** @returns the folder of the validator, and of semgrep unless it is installed. @throws why the validator cannot be installed */
async function install() {
  const bin = path.join(CACHE, 'bin');
  if (!existsSync(path.join(bin, 'plugincheck2'))) {
    await run('go', ['install', VALIDATOR], { env: { ...process.env, GOBIN: bin } });
  }
  const python = path.join(CACHE, 'semgrep');
  if (!existsSync(path.join(python, 'bin', 'semgrep'))) {
    await run('python3', ['-m', 'venv', python]);
    await run(path.join(python, 'bin', 'pip'), ['install', '--quiet', 'semgrep==1.185.0']);
  }
  return [bin, path.join(python, 'bin')];
}

/** Findings in the JSON output of the validator: {isError, text}. docs/release.md explains those that are no errors. */
export const findingsOf = (output) =>
  Object.entries(JSON.parse(output)['plugin-validator'] ?? {}).flatMap(([analyzer, found]) =>
    (found ?? [])
      .filter(({ Severity }) => Severity !== 'ok')
      .map(({ Severity, Title, Detail }) => ({
        isError: Severity === 'error',
        text: `${analyzer}, ${Severity}: ${[Title, Detail].filter(Boolean).join(': ')}`,
      }))
  );

/**
 * @param zip the packaged plugin
 * @param source a clone of its commit
 * @returns {findings}, or {notRun}: the reason
 */
export async function validate(zip, source) {
  let folders;
  try {
    folders = await install();
  } catch (error) {
    return {
      notRun: String(error.stderr || error.message)
        .trim()
        .replaceAll(/\s*\n\s*/g, ' '),
    };
  }
  const work = mkdtempSync(path.join(tmpdir(), 'nodebell-catalog-'));
  try {
    const [config, output] = ['config.yaml', 'output.json'].map((name) => path.join(work, name));
    const analyzers = Object.fromEntries(OFF.map((name) => [name, { enabled: false }]));
    // JSON is YAML.
    writeFileSync(config, JSON.stringify({ global: { enabled: true, severity: 'warning' }, analyzers }));
    const args = ['-config', config, '-output-to-file', output, '-sourceCodeUri', `file://${source}`, zip];
    const env = { ...process.env, PATH: [...folders, process.env.PATH].join(path.delimiter) };
    // It exits with 1 if there is an error among the findings.
    await run('plugincheck2', args, { env }).catch((error) => {
      if (!existsSync(output)) {
        throw error;
      }
    });
    return { findings: findingsOf(readFileSync(output, 'utf8')) };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
