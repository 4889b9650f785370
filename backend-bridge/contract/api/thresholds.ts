/** Operations: thresholds. */
import {
  endpointOverviewSchema,
  endpointPackageSchema,
  endpointPatchSchema,
  endpointSchema,
  packageSwitchBodySchema,
} from '../endpoint.ts';
import { endpointHistoryQuerySchema, endpointHistorySchema } from '../history.ts';
import {
  importBodySchema,
  importedSchema,
  settingChangeSchema,
  settingHistoryQuerySchema,
  settingsDocumentSchema,
} from '../settings.ts';
import { z } from 'zod';
import { get, json, ok, operations, patch, pathParam, post, segment } from '../operation.ts';

const DNP_NAME = { dnpName: segment('The name of a package.') };

export const THRESHOLDS = operations('Thresholds', {
  listEndpoints: get('/endpoints', 'thresholds:read', {
    summary: 'List the endpoints of all packages, with settings and sync status',
    reply: ok('The packages with their endpoints.', () => endpointOverviewSchema),
  }),
  packageEndpoints: get('/packages/{dnpName}/endpoints', 'packages:read', {
    summary: 'List the endpoints of a package, with settings and sync status',
    params: DNP_NAME,
    reply: ok('The package with its endpoints.', () => endpointPackageSchema),
    problems: [404],
  }),
  setEndpoint: patch('/packages/{dnpName}/endpoints/{correlationId}', 'thresholds:write', {
    summary: 'Set the switch or the threshold of an endpoint; 409 for what a file provisions',
    params: { ...DNP_NAME, correlationId: pathParam('Which endpoint. May hold slashes, escaped or not.') },
    body: json(() => endpointPatchSchema),
    reply: ok('The changed endpoint. Monitors are synced after the response.', () => endpointSchema),
    problems: [404, 409],
  }),
  endpointHistory: get('/packages/{dnpName}/endpoints/{correlationId}/history', 'packages:read', {
    summary: 'Get the history of the value of an endpoint from Prometheus; 404 if it has none',
    params: { ...DNP_NAME, correlationId: pathParam('Which endpoint. May hold slashes, escaped or not.') },
    query: () => endpointHistoryQuerySchema,
    reply: ok('The history.', () => endpointHistorySchema),
    problems: [404, 503],
  }),
  setPackage: patch('/packages/{dnpName}/settings', 'thresholds:write', {
    summary: 'Set the switch of a package, or remove leftover settings; 409 if a file provisions them',
    params: DNP_NAME,
    body: json(() => packageSwitchBodySchema),
    reply: ok('The changed package.', () => endpointPackageSchema),
    problems: [404, 409],
  }),
  exportSettings: get('/settings', 'thresholds:write', {
    summary: 'Export all settings as one document that can be imported',
    reply: ok('The settings.', () => settingsDocumentSchema),
  }),
  importSettings: post('/settings', 'bridge:admin', {
    summary: 'Import settings; other settings do not change, values out of range are left out and listed',
    body: json(() => importBodySchema),
    reply: ok('The changes.', () => importedSchema),
  }),
  settingHistory: get('/settings/history', 'thresholds:write', {
    summary: 'List changes of settings, newest first; the last 10,000 are stored',
    query: () => settingHistoryQuerySchema,
    reply: ok('The changes.', () => z.array(settingChangeSchema)),
  }),
});
