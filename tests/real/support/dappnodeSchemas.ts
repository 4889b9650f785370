/**
 * DAppNode's own validation, from its npm package `@dappnode/schemas`. It is GPL-3.0, so it is installed to node_modules/.cache for
 * the comparison only, and is no dependency.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv } from 'ajv';

export interface Oracle {
  /** Its version, or the folder of its schemas. */
  version: string;
  /** Each returns whether DAppNode refuses the value. Absent if this release does not validate it. */
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
 * NODEBELL_DAPPNODE_SCHEMAS names a folder with manifest.schema.json and notifications.schema.json, such as that of a checkout of
 * DAppNode. Without it the package is installed.
 * @returns the reason as a sentence if there is none
 */
export async function loadOracle(): Promise<Oracle | string> {
  const folder = process.env['NODEBELL_DAPPNODE_SCHEMAS'];
  if (folder !== undefined && folder !== '') {
    return fromFolder(folder);
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

async function fromPackage(): Promise<Oracle> {
  const { version, main } = JSON.parse(readFileSync(path.join(INSTALLED, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const all = (await import(pathToFileURL(path.join(INSTALLED, main!)).href)) as Record<string, Validate | undefined>;
  // They throw, and convert values in place.
  const refuses = (validate: Validate) => (value: unknown, manifest?: unknown) => {
    try {
      validate(structuredClone(value), structuredClone(manifest));
      return false;
    } catch {
      return true;
    }
  };
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

function fromFolder(folder: string): Oracle {
  const ajv = new Ajv({ strict: false, logger: false, coerceTypes: true });
  const compile = (name: string) => {
    const check = ajv.compile(JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as object);
    return (value: unknown) => !check(structuredClone(value));
  };
  const refuses = { manifest: compile('manifest.schema.json'), notifications: compile('notifications.schema.json') };
  return { version: folder, refuses };
}
