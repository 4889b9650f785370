/** Operations on endpoints and settings: part of `OPERATIONS` in `api.ts`. */
import { z } from 'zod';
import type { Operation } from './operation.ts';
import {
  endpointOverviewSchema,
  endpointPackageSchema,
  endpointPatchSchema,
  endpointSchema,
  packageSwitchBodySchema,
} from './endpoint.ts';
import { endpointHistoryQuerySchema, endpointHistorySchema } from './history.ts';
import {
  importBodySchema,
  importedSchema,
  settingChangeSchema,
  settingHistoryQuerySchema,
  settingsDocumentSchema,
} from './settings.ts';

const BASE = '/api/v1';
const DNP_NAME = { dnpName: 'The name of a package.' };

export const ENDPOINT_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: `${BASE}/endpoints`,
    id: 'listEndpoints',
    tag: 'Thresholds',
    summary: 'List the endpoints of all packages, with settings and sync status',
    access: 'admin',
    responses: { 200: { description: 'The packages with their endpoints.', schema: endpointOverviewSchema } },
    problems: [],
  },
  {
    method: 'get',
    path: `${BASE}/packages/{dnpName}/endpoints`,
    id: 'packageEndpoints',
    tag: 'Thresholds',
    summary: 'List the endpoints of a package, with settings and sync status',
    access: 'admin',
    parameters: DNP_NAME,
    responses: { 200: { description: 'The package with its endpoints.', schema: endpointPackageSchema } },
    problems: [404],
  },
  {
    method: 'patch',
    path: `${BASE}/packages/{dnpName}/endpoints/{correlationId}`,
    id: 'setEndpoint',
    tag: 'Thresholds',
    summary: 'Set the switch or the threshold of an endpoint; 409 for what a file provisions',
    access: 'admin',
    parameters: { ...DNP_NAME, correlationId: 'Which endpoint. May hold slashes, escaped or not.' },
    body: { schema: endpointPatchSchema },
    responses: {
      200: { description: 'The changed endpoint. Monitors are synced after the response.', schema: endpointSchema },
    },
    problems: [400, 404, 409, 413, 415, 503],
  },
  {
    method: 'get',
    path: `${BASE}/packages/{dnpName}/endpoints/{correlationId}/history`,
    id: 'endpointHistory',
    tag: 'Thresholds',
    summary: 'Get the history of the value of an endpoint from Prometheus; 404 if it has none',
    access: 'admin',
    parameters: { ...DNP_NAME, correlationId: 'Which endpoint. May hold slashes, escaped or not.' },
    query: endpointHistoryQuerySchema,
    responses: { 200: { description: 'The history.', schema: endpointHistorySchema } },
    problems: [400, 404, 503],
  },
  {
    method: 'patch',
    path: `${BASE}/packages/{dnpName}/settings`,
    id: 'setPackage',
    tag: 'Thresholds',
    summary: 'Set the switch of a package, or remove leftover settings; 409 if a file provisions them',
    access: 'admin',
    parameters: DNP_NAME,
    body: { schema: packageSwitchBodySchema },
    responses: { 200: { description: 'The changed package.', schema: endpointPackageSchema } },
    problems: [400, 404, 409, 413, 415, 503],
  },
  {
    method: 'get',
    path: `${BASE}/settings`,
    id: 'exportSettings',
    tag: 'Thresholds',
    summary: 'Export all settings as one document that can be imported',
    access: 'admin',
    responses: { 200: { description: 'The settings.', schema: settingsDocumentSchema } },
    problems: [],
  },
  {
    method: 'post',
    path: `${BASE}/settings`,
    id: 'importSettings',
    tag: 'Thresholds',
    summary: 'Import settings; other settings do not change, values out of range are left out and listed',
    access: 'admin',
    body: { schema: importBodySchema },
    responses: { 200: { description: 'The changes.', schema: importedSchema } },
    problems: [400, 413, 415, 503],
  },
  {
    method: 'get',
    path: `${BASE}/settings/history`,
    id: 'settingHistory',
    tag: 'Thresholds',
    summary: 'List changes of settings, newest first; the last 10,000 are stored',
    access: 'admin',
    query: settingHistoryQuerySchema,
    responses: { 200: { description: 'The changes.', schema: z.array(settingChangeSchema) } },
    problems: [400],
  },
];
