/** Operations: packages. */
import { backupRestoredSchema } from '../backup.ts';
import { dashboardListSchema } from '../dashboard.ts';
import {
  fetchBodySchema,
  fetchedSchema,
  packageBodySchema,
  packageDetailSchema,
  packageFilesSchema,
  packageSummarySchema,
  previewSchema,
  registerBodySchema,
  targetGroupSchema,
} from '../package.ts';
import { ICON_REPLY } from '../icon.ts';
import { LIMITS } from '../limits.ts';
import { z } from 'zod';
import {
  NOT_PROXIED,
  binary,
  content,
  created,
  del,
  get,
  getRoot,
  json,
  noContent,
  ok,
  operations,
  post,
  put,
  segment,
} from '../operation.ts';

const DNP_NAME = { dnpName: segment('The name of a package.') };
// Three files of up to 1 MiB each, with what JSON adds to a text.
const FILES = { limits: { limit: LIMITS.packageBodyBytes.value } };

export const PACKAGES = operations('Packages', {
  listPackages: get('/packages', 'packages:read', {
    summary: 'List the registered packages',
    reply: ok('The packages, by name.', () => z.array(packageSummarySchema)),
  }),
  previewPackage: post('/packages/preview', 'packages:write', {
    summary: 'Validate the files of a package and preview its registration, without changes',
    body: json(() => packageBodySchema, FILES),
    reply: ok('The findings; also for files with errors.', () => previewSchema),
  }),
  fetchManifest: post('/fetch', 'bridge:admin', {
    summary: 'Fetch a manifest from another host for a preview',
    body: json(() => fetchBodySchema),
    reply: ok('The text of the file.', () => fetchedSchema),
  }),
  registerPackage: post('/packages', 'packages:write', {
    summary: 'Register a package; 409 when it is registered already, or its disclaimer is not approved',
    body: json(() => registerBodySchema, FILES),
    reply: created('The registered package.', () => packageDetailSchema),
    problems: [409],
  }),
  getPackage: get('/packages/{dnpName}', 'packages:read', {
    summary: 'Get a package with all details',
    params: DNP_NAME,
    reply: ok('The package.', () => packageDetailSchema),
    problems: [404],
  }),
  getPackageIcon: get('/packages/{dnpName}/icon', 'packages:read', {
    summary: 'Get the icon of a package, fetched and validated by the bridge',
    params: DNP_NAME,
    reply: ICON_REPLY,
    problems: [404, 429],
  }),
  updatePackage: put('/packages/{dnpName}', 'packages:write', {
    summary:
      'Update a package; 409 for an older version, or other content under the same, unless that is meant, and for one that is provisioned',
    params: DNP_NAME,
    body: json(() => registerBodySchema, FILES),
    reply: ok('The updated package.', () => packageDetailSchema),
    problems: [404, 409],
  }),
  removePackage: del('/packages/{dnpName}', 'packages:write', {
    summary: 'Remove a package; 409 for one that is provisioned',
    params: DNP_NAME,
    reply: noContent('Removed. Its history is kept.'),
    problems: [404, 409],
  }),
  listDashboards: get('/packages/{dnpName}/dashboards', 'packages:read', {
    summary: 'List the dashboards of a package: generated from its manifest, shipped or named by it',
    params: DNP_NAME,
    reply: ok('The dashboards.', () => dashboardListSchema),
    problems: [404],
  }),
  getPackageFiles: get('/package-files/{dnpName}', 'packages:write', {
    summary: 'Get the files of a package; they can contain secrets, so Grafana requires the role Editor',
    params: DNP_NAME,
    reply: ok('The files.', () => packageFilesSchema),
    problems: [404],
  }),
  downloadBackup: get('/backups/{dnpName}', 'bridge:admin', {
    summary: 'Download the files that the manifest of a package lists for backups, as a tarball',
    params: DNP_NAME,
    reply: content(
      'nodebell-backup.json (schema backup-index) and, in entries, each entry under its name.',
      'application/gzip'
    ),
    problems: [404, 409],
  }),
  restoreBackup: post('/backups/{dnpName}', 'bridge:admin', {
    summary: 'Restore the files of a backup, all or none; entries are matched by name',
    params: DNP_NAME,
    body: binary('application/gzip', 'A downloaded backup.'),
    reply: ok('The restored files.', () => backupRestoredSchema),
    problems: [404, 409, 413, 415],
  }),
  ownManifest: getRoot('/package-manifest/{dnpName}', NOT_PROXIED, {
    access: 'sender',
    summary: 'Get the manifest of a package with its notifications, for the package itself',
    params: DNP_NAME,
    reply: ok('The manifest, and `notifications` with `endpoints` and `customEndpoints`.', () =>
      z.record(z.string(), z.unknown())
    ),
    problems: [404],
  }),
  prometheusTargets: get('/prometheus/targets', NOT_PROXIED, {
    access: 'sender',
    summary: 'List the targets of the registered packages (Prometheus HTTP service discovery)',
    reply: ok('Groups of targets.', () => z.array(targetGroupSchema)),
  }),
});
