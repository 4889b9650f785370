/** The command on real folders, run outside of the project's folder. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import { SARIF_SHAPE } from './sarifShape.ts';

const LAUNCHER = path.join(import.meta.dirname, '../../backend-bridge/bin/nodebell.mjs');
const MANIFEST = {
  name: 'geth.dnp.dappnode.eth',
  version: '1.0.0',
  description: 'A node.',
  type: 'service',
  license: 'MIT',
  categories: ['Blockchain'],
  mainService: 'geth',
};
const NOTIFICATIONS = {
  endpoints: [
    {
      name: 'Peers',
      correlationId: 'geth-peers',
      enabled: true,
      group: 'ethereum',
      url: 'http://geth.dappnode:8545',
      method: 'POST',
      interval: '30s',
      conditions: ['[BODY].result >= 10'],
      metric: { min: 0, max: 50, unit: 'peers' },
      definition: { title: 'Peers', description: 'Too few peers.' },
      priority: 'low',
      isBanner: false,
      alerts: [
        {
          type: 'custom',
          enabled: true,
          description: 'below [CONDITION_VALUE]',
          'failure-threshold': 10,
          'success-threshold': 1,
          'send-on-resolved': true,
        },
      ],
    },
  ],
};

function folder(files: Record<string, object | string>): string {
  const dir = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
  return dir;
}

function nodebell(cwd: string, ...args: string[]) {
  const { status, stderr, stdout } = spawnSync(process.execPath, [LAUNCHER, ...args], { cwd, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

const good = {
  'geth/dappnode_package.json': MANIFEST,
  'geth/notifications.json': NOTIFICATIONS,
  'geth/docker-compose.yml': 'services:\n  geth: {}\nversion: "3.5"\n',
};
const bad = {
  ...good,
  'geth/dappnode_package.json': { ...MANIFEST, mainService: 'gath' },
  'geth/package_variants/hoodi/dappnode_package.json':
    '{\n  "name": "hoodi-geth.dnp.dappnode.eth",\n  "version": "1"\n}\n',
};

describe('nodebell validate', () => {
  test('exit codes 0, 1 and 2', () => {
    expect(nodebell(folder(good), 'validate')).toEqual({
      code: 0,
      out: 'No findings in 3 files of 1 package.\n',
      err: '',
    });
    expect(nodebell(folder(bad), 'validate', 'geth')).toMatchObject({ code: 1, err: '' });
    expect(nodebell(folder(bad), 'validate', 'geth', 'besu')).toMatchObject({ code: 2, err: '' });
  });

  test('file names are relative to the current folder', () => {
    const { out } = nodebell(folder(bad), 'validate', '--format', 'github');
    expect(out.split('\n').map((line) => line.split(',title')[0])).toEqual([
      '::warning file=geth/dappnode_package.json,line=10,endLine=10,col=18,endColumn=24',
      '::error file=geth/package_variants/hoodi/dappnode_package.json,line=3,endLine=3,col=14,endColumn=17',
      '',
    ]);
  });

  test('the SARIF output has the required members of the standard', () => {
    const dir = folder({ ...bad, 'a b/dappnode_package.json': '{' });
    mkdirSync(path.join(dir, 'a b/prometheus-targets.json'));
    const { code, out } = nodebell(dir, 'validate', '--format', 'sarif');
    const log = JSON.parse(out) as {
      runs: [{ tool: { driver: { rules: { id: string }[] } }; results: { ruleId: string; ruleIndex: number }[] }];
    };
    const ajv = new Ajv2020({ strict: false });
    expect([ajv.validate(SARIF_SHAPE, log), ajv.errors, code]).toEqual([true, null, 2]);
    const [{ results, tool }] = log.runs;
    expect(results.map(({ ruleId, ruleIndex }) => tool.driver.rules[ruleIndex]?.id === ruleId)).not.toContain(false);
    expect(results).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ruleId: 'service-unknown',
          level: 'warning',
          locations: [
            expect.objectContaining({
              physicalLocation: {
                artifactLocation: { uri: 'geth/dappnode_package.json' },
                region: { startLine: 10, startColumn: 18, endLine: 10, endColumn: 24 },
              },
            }) as unknown,
          ],
        }),
      ])
    );
    expect(out).toContain('"uri": "a%20b/dappnode_package.json"');
  });

  test('no colors if the output is not a terminal', () => {
    expect(nodebell(folder(bad), 'validate').out).not.toContain('\u001b');
  });
});

test('nodebell schema prints a schema that editors can use', () => {
  const { code, out } = nodebell(tmpdir(), 'schema', 'notifications-file');
  const validates = new Ajv2020({ strict: false }).compile(JSON.parse(out) as object);
  expect([code, validates(NOTIFICATIONS), validates({ endpoints: [{ name: 5 }] })]).toEqual([0, true, false]);
});
