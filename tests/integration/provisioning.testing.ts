/** A provisioning folder, and a bridge that reads it. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import type { ProvisionedFile, Provisioning } from '../../backend-bridge/contract/provisioning.ts';
import type { Config } from '../../backend-bridge/src/config.ts';
import { TestBridge } from './support.ts';

export const TOKEN = 'the-token-of-the-backup-job';

export function manifest(name: string, version = '1.0.0', more: object = {}): string {
  const required = { type: 'service', description: 'A package.', license: 'MIT' };
  return JSON.stringify({ name, version, ...required, ...more }, null, 2);
}

export class Folder {
  readonly dir: string;
  private constructor(dir: string) {
    this.dir = dir;
  }

  static async make(files: Record<string, string> = {}): Promise<Folder> {
    const base = temporaryFolder();
    const folder = new Folder(path.join(base, 'nodebell'));
    await mkdir(folder.dir);
    await folder.write(files);
    return folder;
  }

  /** Replaces a file atomically, as careful editors do. */
  async write(files: Record<string, string>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(this.dir, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(`${file}.aside`, text);
      await rename(`${file}.aside`, file);
    }
  }

  remove(name: string): Promise<void> {
    return rm(path.join(this.dir, name), { recursive: true });
  }

  /** A bridge that has read the folder. */
  async start(env: Record<string, string> = {}, config: Partial<Config> = {}): Promise<Provisioned> {
    const bridge = await TestBridge.start({ provisioning: { dir: this.dir, env }, ...config });
    onTestFinished(() => bridge.dispose());
    return new Provisioned(bridge);
  }
}

export class Provisioned {
  readonly bridge: TestBridge;
  constructor(bridge: TestBridge) {
    this.bridge = bridge;
  }

  status(): Promise<Provisioning> {
    return this.bridge.call<Provisioning>('GET', '/api/v1/provisioning');
  }

  async file(name: string): Promise<ProvisionedFile | undefined> {
    return (await this.status()).files.find(({ file }) => file === name);
  }

  /** `line:column detail` of the errors of a file. */
  async mistakes(name: string): Promise<string[]> {
    const { findings } = (await this.file(name)) ?? { findings: [] };
    return findings.flatMap(({ verdict, file, line, column, detail }) =>
      verdict === 'error' ? `${file}:${line}:${column} ${detail}` : []
    );
  }

  /** `name version`, and the file that provisions it. */
  async packages(): Promise<string[]> {
    const all = await this.bridge.call<{ dnpName: string; version: string; origin: { file?: string } }[]>(
      'GET',
      '/api/v1/packages'
    );
    return all.map(({ dnpName, version, origin }) => `${dnpName} ${version} ${origin.file ?? 'by hand'}`);
  }

  async category(name: string): Promise<{ enabled: boolean; file?: string } | undefined> {
    const all = await this.bridge.call<{ category: string; enabled: boolean; file?: string }[]>(
      'GET',
      '/api/v1/categories'
    );
    return all.find(({ category }) => category === name);
  }

  /** Status of a send with this token. */
  async send(token: string, payload: object = {}): Promise<number> {
    return (await this.bridge.post({ ...payload }, { Authorization: `Bearer ${token}` })).status;
  }
}

/**
 * Waits until the condition holds. Files are watched, and notifications of the file system may be late or missing; then the
 * files are read within a minute.
 */
export const eventually = (check: () => Promise<unknown>): Promise<unknown> =>
  vi.waitFor(check, { timeout: 90_000, interval: 100 });
