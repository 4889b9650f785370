/**
 * DAppNode's own validation, from its npm package `@dappnode/schemas`. It is GPL-3.0, so it is installed to node_modules/.cache for
 * the comparison only, and is no dependency.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv } from 'ajv';
import ts from 'typescript';

export interface Oracle {
  /** Version, or the folder of the schemas. */
  version: string;
  /** Each returns whether DAppNode rejects the value. Absent if this release does not validate it. */
  refuses: {
    manifest: (value: unknown) => boolean;
    notifications?: (value: unknown) => boolean;
    compose?: (value: unknown, manifest: unknown) => boolean;
  };
}

const PACKAGE = '@dappnode/schemas';
const CACHE = path.join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'dappnode-schemas');
const INSTALLED = path.join(CACHE, 'node_modules', PACKAGE);

/**
 * NODEBELL_DAPPNODE_SCHEMAS names a folder with manifest.schema.json and notifications.schema.json, such as `packages/schemas/src/schemas`
 * of a checkout of DAppNode, which has the rules for compose files, too. Without it the package is installed.
 * @returns the reason as a sentence if there is none
 */
export async function loadOracle(): Promise<Oracle | string> {
  const folder = process.env['NODEBELL_DAPPNODE_SCHEMAS'];
  if (folder !== undefined && folder !== '') {
    return await fromFolder(folder);
  }
  mkdirSync(CACHE, { recursive: true });
  const args = ['install', '--prefix', CACHE, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = spawnSync('npm', [...args, `${PACKAGE}@latest`], {
    encoding: 'utf8',
    timeout: 120_000,
    shell: process.platform === 'win32',
  });
  if (!existsSync(path.join(INSTALLED, 'package.json'))) {
    const why = npm.error?.message ?? npm.stderr.trim().split('\n')[0];
    return `${PACKAGE} could not be installed: ${why}`;
  }
  return fromPackage();
}

type Validate = (value: unknown, manifest?: unknown) => void;

/** They throw, and convert values in place. */
const refuses = (validate: Validate) => (value: unknown, manifest?: unknown) => {
  try {
    validate(structuredClone(value), structuredClone(manifest));
    return false;
  } catch {
    return true;
  }
};

async function fromPackage(): Promise<Oracle> {
  const { version, main } = JSON.parse(readFileSync(path.join(INSTALLED, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const all = (await import(pathToFileURL(path.join(INSTALLED, main!)).href)) as Record<string, Validate | undefined>;
  const { validateManifestSchema, validateNotificationsSchema, validateDappnodeCompose } = all;
  return {
    version: version!,
    refuses: {
      manifest: refuses(validateManifestSchema!),
      ...(validateNotificationsSchema && { notifications: refuses(validateNotificationsSchema) }),
      ...(validateDappnodeCompose && { compose: refuses(validateDappnodeCompose) }),
    },
  };
}

async function fromFolder(folder: string): Promise<Oracle> {
  const ajv = new Ajv({ strict: false, logger: false, coerceTypes: true });
  const compile = (name: string) => {
    const check = ajv.compile(JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as object);
    return (value: unknown) => !check(structuredClone(value));
  };
  const compose = await composeOf(path.join(folder, '..'));
  return {
    version: folder,
    refuses: {
      manifest: compile('manifest.schema.json'),
      notifications: compile('notifications.schema.json'),
      ...(compose && { compose: refuses(compose) }),
    },
  };
}

/** The rules for compose files of a checkout, whose TypeScript is compiled to node_modules/.cache. */
async function composeOf(src: string): Promise<Validate | undefined> {
  if (!existsSync(path.join(src, 'validateDappnodeCompose.ts'))) {
    return undefined;
  }
  const compiled = path.join(CACHE, 'compose');
  mkdirSync(compiled, { recursive: true });
  for (const file of ['validateDappnodeCompose.ts', 'params.ts', '../../types/src/compose.ts']) {
    const { outputText } = ts.transpileModule(readFileSync(path.join(src, file), 'utf8'), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    const text = outputText.replace('"@dappnode/types"', '"./compose.mjs"').replace('"./params.js"', '"./params.mjs"');
    writeFileSync(path.join(compiled, `${path.basename(file, '.ts')}.mjs`), text);
  }
  const url = pathToFileURL(path.join(compiled, 'validateDappnodeCompose.mjs')).href;
  return ((await import(url)) as { validateDappnodeCompose: Validate }).validateDappnodeCompose;
}
