import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { send } from './answers.ts';
import { fallbackIcon } from './fallbackIcons.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

const require = createRequire(import.meta.url);

/** A package among those that the host page was built on. */
const libraryDir = (libraries: string, name: string): string =>
  path.dirname(createRequire(path.join(libraries, 'index.js')).resolve(`${name}/package.json`));

export async function libraryVersion(libraries: string, name: string): Promise<string> {
  const text = await readFile(path.join(libraryDir(libraries, name), 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Grafana's font files under the names that @grafana/ui requests, from the packages that carry the same typefaces. */
const FONTS: Record<string, string> = {
  'inter/Inter-Regular.woff2': '@fontsource/inter/files/inter-latin-400-normal.woff2',
  'inter/Inter-Medium.woff2': '@fontsource/inter/files/inter-latin-500-normal.woff2',
};

async function readInside(folder: string, file: string): Promise<Buffer | undefined> {
  const full = path.join(folder, file);
  if (!full.startsWith(folder + path.sep)) {
    return undefined;
  }
  return readFile(full).catch(() => undefined);
}

const contentType = (file: string) => TYPES[path.extname(file)] ?? 'application/octet-stream';

async function findIcon(libraries: string, file: string): Promise<Buffer> {
  const found = await readInside(path.join(libraryDir(libraries, '@grafana/ui'), 'dist', 'public', 'img'), file);
  return found ?? Buffer.from(fallbackIcon(path.basename(file, '.svg')));
}

const MONO = '@fontsource/roboto-mono/files/roboto-mono-latin-400-normal.woff2';

async function findFont(file: string): Promise<Buffer | undefined> {
  // The monospaced font is requested by a hash that differs between library versions.
  const source = /^roboto\/[\w-]+\.woff2$/.test(file) ? MONO : FONTS[file];
  return source === undefined ? undefined : readFile(require.resolve(source));
}

/** Everything below /public/. A plugin's files are open to anybody there, as they are in Grafana. */
export async function servePublic(
  response: ServerResponse,
  file: string,
  folders: { hostDir: string; libraries: string; findPlugin: (id: string) => Promise<string | undefined> }
): Promise<void> {
  const [area = '', ...parts] = file.split('/');
  let body: Buffer | undefined;
  const pluginDir = area === 'plugins' ? await folders.findPlugin(parts[0] ?? '') : undefined;
  if (pluginDir !== undefined) {
    body = await readInside(pluginDir, parts.slice(1).join('/'));
  } else if (area === 'host') {
    body = await readInside(folders.hostDir, parts.join('/'));
  } else if (area === 'build' && parts[0] === 'img') {
    body = await findIcon(folders.libraries, parts.slice(1).join('/'));
  } else if (area === 'fonts') {
    body = await findFont(parts.join('/'));
  }
  if (body) {
    send(response, 200, contentType(file), body, { 'Cache-Control': 'no-cache' });
  } else {
    send(response, 404, 'text/plain; charset=utf-8', 'Not found\n');
  }
}
