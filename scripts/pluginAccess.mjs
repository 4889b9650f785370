/**
 * Writes the proxy routes and roles in plugin.json from the table in backend-bridge/contract/roles.ts. Run it after adding an
 * operation or an action; a test compares them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import prettier from 'prettier';
import { pluginRoles, pluginRoutes } from '../backend-bridge/contract/proxyRoutes.ts';
import { ROOT } from './run.mjs';

const file = path.join(ROOT, 'plugin.json');
const plugin = JSON.parse(readFileSync(file, 'utf8'));
const { routes: _routes, roles: _roles, ...rest } = plugin;
const written = { ...rest, roles: pluginRoles(plugin.id), routes: pluginRoutes(plugin.id) };
const options = await prettier.resolveConfig(file);
writeFileSync(file, await prettier.format(JSON.stringify(written, null, 2), { ...options, filepath: file }));
