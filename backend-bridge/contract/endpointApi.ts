/** Operations of the HTTP API that are about endpoints and what is set: a part of `OPERATIONS` in `api.ts`. */
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
    summary: 'What all packages notify of, with what is set and what became of it',
    access: 'admin',
    answers: { 200: { description: 'The packages with their endpoints.', schema: endpointOverviewSchema } },
    problems: [],
  },
  {
    method: 'get',
    path: `${BASE}/packages/{dnpName}/endpoints`,
    id: 'packageEndpoints',
    tag: 'Thresholds',
    summary: 'What a package notifies of, with what is set and what became of it',
    access: 'admin',
    parameters: DNP_NAME,
    answers: { 200: { description: 'The package with its endpoints.', schema: endpointPackageSchema } },
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
    answers: { 200: { description: 'The endpoint as it is now; it takes effect after that.', schema: endpointSchema } },
    problems: [400, 404, 409, 413, 415, 503],
  },
  {
    method: 'get',
    path: `${BASE}/packages/{dnpName}/endpoints/{correlationId}/history`,
    id: 'endpointHistory',
    tag: 'Thresholds',
    summary: 'What the value of an endpoint has been, from Prometheus; 404 where there is no history of it',
    access: 'admin',
    parameters: { ...DNP_NAME, correlationId: 'Which endpoint. May hold slashes, escaped or not.' },
    query: endpointHistoryQuerySchema,
    answers: { 200: { description: 'Its history.', schema: endpointHistorySchema } },
    problems: [400, 404, 503],
  },
  {
    method: 'patch',
    path: `${BASE}/packages/{dnpName}/settings`,
    id: 'setPackage',
    tag: 'Thresholds',
    summary:
      'Set the switch of a package, or forget what is kept for endpoints that it has no more; 409 for what a file provisions',
    access: 'admin',
    parameters: DNP_NAME,
    body: { schema: packageSwitchBodySchema },
    answers: { 200: { description: 'The package as it is now.', schema: endpointPackageSchema } },
    problems: [400, 404, 409, 413, 415, 503],
  },
  {
    method: 'get',
    path: `${BASE}/settings`,
    id: 'exportSettings',
    tag: 'Thresholds',
    summary: 'All that admins have set, as one document that can be taken in again',
    access: 'admin',
    answers: { 200: { description: 'The settings.', schema: settingsDocumentSchema } },
    problems: [],
  },
  {
    method: 'post',
    path: `${BASE}/settings`,
    id: 'importSettings',
    tag: 'Thresholds',
    summary: 'Import settings; what they do not name stays, values out of range are left out and listed',
    access: 'admin',
    body: { schema: importBodySchema },
    answers: { 200: { description: 'What has changed.', schema: importedSchema } },
    problems: [400, 413, 415, 503],
  },
  {
    method: 'get',
    path: `${BASE}/settings/history`,
    id: 'settingHistory',
    tag: 'Thresholds',
    summary: 'Who set what, when; newest first, the last 10,000 are kept',
    access: 'admin',
    query: settingHistoryQuerySchema,
    answers: { 200: { description: 'What was set.', schema: z.array(settingChangeSchema) } },
    problems: [400],
  },
];
