/** Package folders for tests. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../../folder.testing.ts';

/** @param files texts by path, with slashes */
export function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const dir = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), content);
  }
  return dir;
}

/** A manifest without findings, formatted by hand. */
export function manifestText(changes: object = {}): string {
  const manifest = {
    name: 'web.dnp.dappnode.eth',
    version: '1.0.0',
    description: 'A web server.',
    type: 'service',
    license: 'MIT',
    categories: ['Developer tools'],
    ...changes,
  };
  return `${JSON.stringify(manifest, null, 4)}\n`;
}
