/** Operations: retention and archives. */
import { archiveImportedSchema, archiveImportSchema } from '../archive.ts';
import { LIMITS } from '../limits.ts';
import { NOT_PROXIED, get, json, ok, operations, post, put } from '../operation.ts';
import {
  retentionPolicySchema,
  retentionPreviewSchema,
  retentionQuerySchema,
  retentionStatusSchema,
} from '../retention.ts';

/** Members that were not understood were members of a body; here they are members of `extra` of an entry of `notifications`. */
const EXTRA_LEVELS = 3;
const ARCHIVE = {
  limits: { limit: LIMITS.archiveBodyBytes.value, levels: LIMITS.bodyDepth.value + EXTRA_LEVELS },
};

export const RETENTION = operations('Service', {
  getRetention: get('/retention', 'bridge:admin', {
    summary: 'Which notifications are removed and when, and the use of the disk',
    reply: ok('Retention.', () => retentionStatusSchema),
  }),
  setRetention: put('/retention', 'bridge:admin', {
    summary: 'Set which notifications are removed and when; 409 if retention is provisioned by a file',
    query: () => retentionQuerySchema,
    body: json(() => retentionPolicySchema),
    reply: ok('Retention.', () => retentionStatusSchema),
    problems: [409],
  }),
  previewRetention: post('/retention/preview', 'bridge:admin', {
    summary: 'Preview a retention policy: what it would remove now; changes nothing',
    body: json(() => retentionPolicySchema),
    reply: ok('How many, and their size.', () => retentionPreviewSchema),
  }),
  importArchive: post('/archive', NOT_PROXIED, {
    summary: 'Import archived notifications, as read; those that are already stored are skipped',
    body: json(() => archiveImportSchema, ARCHIVE),
    reply: ok('How many were stored.', () => archiveImportedSchema),
  }),
});
