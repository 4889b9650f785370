/**
 * plugin.json and those of the nested panels follow Grafana's schema, without unknown members. These rules are the relevant
 * part of that schema. The routes and pages are tested in standalone/server.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const ROOT = path.join(import.meta.dirname, '..', '..');
const read = (file: string): unknown => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
const PANELS = readdirSync(path.join(ROOT, 'src', 'panels')).map((name) => `src/panels/${name}/plugin.json`);

const extension = z.strictObject({
  targets: z.array(z.string()).min(1),
  title: z.string().min(10),
  description: z.string().optional(),
});

const ofOtherApps = z.strictObject({
  id: z.string().regex(/^nodebell-notifications-app\/[a-zA-Z0-9_-]+\/v\d+$/),
  title: z.string().min(10),
  description: z.string(),
});

const shape = {
  $schema: z.url(),
  id: z.string(),
  languages: z.array(z.string()),
  name: z.string().min(1),
  info: z.strictObject({
    description: z.string().min(1),
    keywords: z.array(z.string()).min(1),
    author: z.strictObject({ name: z.string(), email: z.email().optional(), url: z.url() }),
    links: z.array(z.strictObject({ name: z.string(), url: z.url() })).optional(),
    logos: z.strictObject({ small: z.string(), large: z.string() }),
    screenshots: z.array(z.strictObject({ name: z.string(), path: z.string() })),
    version: z.literal('%VERSION%'),
    updated: z.literal('%TODAY%'),
  }),
  dependencies: z.strictObject({
    grafanaDependency: z.string().regex(/^>=\d+\.\d+\.\d+$/),
    plugins: z.array(z.never()),
  }),
};

const app = z.strictObject({
  ...shape,
  type: z.literal('app'),
  preload: z.boolean().optional(),
  includes: z.array(
    z.strictObject({
      type: z.enum(['page', 'panel', 'dashboard']),
      name: z.string().min(1),
      path: z.string(),
      role: z.enum(['Viewer', 'Editor', 'Admin']).optional(),
      action: z.string().optional(),
      addToNav: z.boolean().optional(),
      // Grafana removes such a page from the menu, and gives it the name of the app.
      defaultNav: z.literal(false).optional(),
      icon: z.string().optional(),
      uid: z.string().optional(),
    })
  ),
  roles: z
    .array(
      z.strictObject({
        role: z.strictObject({
          name: z.string(),
          description: z.string(),
          permissions: z.array(z.strictObject({ action: z.string(), scope: z.string().optional() })),
        }),
        grants: z.array(z.enum(['Viewer', 'Editor', 'Admin', 'Grafana Admin'])),
      })
    )
    .optional(),
  extensions: z.strictObject({
    addedLinks: z.array(extension).optional(),
    addedComponents: z.array(extension).optional(),
    addedFunctions: z.array(extension).optional(),
    exposedComponents: z.array(ofOtherApps),
    extensionPoints: z.array(ofOtherApps),
  }),
  routes: z.array(
    z.strictObject({
      path: z.string(),
      method: z.string(),
      url: z.string(),
      reqRole: z.enum(['Viewer', 'Editor', 'Admin']).optional(),
      reqAction: z.string().optional(),
      headers: z.array(z.strictObject({ name: z.string(), content: z.string() })),
    })
  ),
});

const panel = z.strictObject({ ...shape, type: z.literal('panel'), skipDataQuery: z.literal(true) });

test('the app follows the schema', () => {
  expect(app.safeParse(read('plugin.json')).error?.issues).toBeUndefined();
});

test('its screenshots are files of docs/img, which the build copies into the plugin', () => {
  const { info } = read('plugin.json') as z.infer<typeof app>;
  expect(info.screenshots.length).toBeGreaterThan(0);
  for (const { path: file } of info.screenshots) {
    expect(path.posix.dirname(file)).toBe('img/screenshots');
    expect(existsSync(path.join(ROOT, 'docs', 'img', path.basename(file))), file).toBe(true);
  }
});

describe.each(PANELS)('%s', (file) => {
  test('follows the schema, and is declared by the app', () => {
    expect(panel.safeParse(read(file)).error?.issues).toBeUndefined();
    const { includes } = read('plugin.json') as z.infer<typeof app>;
    expect(includes).toContainEqual(expect.objectContaining({ type: 'panel', path: path.posix.relative('src', file) }));
  });
});
