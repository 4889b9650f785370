/**
 * Writes into plugin.json the routes of Grafana's proxy and the roles that Grafana grants, as the table in
 * backend-bridge/contract/roles.ts says. To be run after an operation or an action was added; a test compares.
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
