/** A line of an archive file (docs/operate.md): a removed notification, as JSON. Also the body of POST /archive. */
import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { nodePathSchema, PRIORITIES, SOURCES, STATUSES } from './notification.ts';
import { safeLink } from './text.ts';

/** Text that every store can hold. */
const text = z.string().refine((value) => value.isWellFormed() && !value.includes('\u0000'), {
  error: 'text without NUL and without half a surrogate pair',
});

/** The bridge has accepted no other, and a page shows it as a link. */
const link = text.refine((value) => safeLink(value) === value, {
  error: 'an http: or https: address, or a path that begins with /',
});

/** New notifications get ids above the highest one: as many are left for them below the largest safe integer. */
const MAX_ID = 2 ** 52;

export const archivedSchema = z
  .strictObject({
    id: z.int().positive().max(MAX_ID).describe('Its id, which it gets back when it is imported.'),
    timestamp: z.iso.datetime().describe('When it arrived.'),
    title: text.describe('Title.'),
    body: text.describe('Body, in Markdown.'),
    category: text.describe('Category.'),
    dnpName: text.describe('Package.'),
    priority: z.enum(PRIORITIES).describe('Priority.'),
    status: z.enum(STATUSES).describe('Status.'),
    statusGiven: z.boolean().describe('Whether the sender named the status.'),
    correlationId: text.describe('Its thread, together with the package and the node.'),
    isBanner: z.boolean().describe('As sent.'),
    seen: z.boolean().describe('Whether somebody had read it.'),
    muted: z.boolean().describe('Whether it was muted.'),
    source: z.enum(SOURCES).describe('Who sent it.'),
    callToAction: z
      .strictObject({ title: text.describe('Title.'), url: link.describe('Address.') })
      .optional()
      .describe('Link.'),
    icon: text.optional().describe('Address of an image.'),
    errors: text.optional().describe('Errors, which hide it in the inbox.'),
    extra: z.record(z.string(), z.unknown()).optional().describe('Other members, as they were stored.'),
    node: nodePathSchema.optional().describe('The node that it came from.'),
    sentAt: z.iso.datetime().optional().describe('When the node received it.'),
  })
  .meta({ id: 'ArchivedNotification', description: 'A notification in an archive.' });
export type Archived = z.output<typeof archivedSchema>;

export const archiveImportSchema = z
  .strictObject({
    notifications: z
      .array(archivedSchema)
      .min(1)
      .max(LIMITS.archivedRows.value)
      .describe(`At most ${LIMITS.archivedRows.value}. Newer ones first: all that follow are older.`),
  })
  .meta({ id: 'ArchiveImport', description: 'Archived notifications to store again.' });

export const archiveImportedSchema = z
  .object({
    imported: z.int().describe('Stored again.'),
    present: z.int().describe('Stored already.'),
    conflicts: z.array(z.int()).describe('Ids of another notification in this database; not imported.'),
    pausedUntil: z.iso.datetime().describe('Retention removes nothing until then.'),
  })
  .meta({ id: 'ArchiveImported', description: 'The result of an import.' });
export type ArchiveImported = z.output<typeof archiveImportedSchema>;
