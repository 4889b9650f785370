/** A line of an archive file (docs/operate.md): a removed notification, as JSON. Also the body of POST /archive. */
import { z } from 'zod';
import { boolean, component, integer, list, oneOf, strictComponent } from './schema.ts';
import { idSchema, MAX_ARCHIVED_ID } from './id.ts';
import { labelsSchema } from './labels.ts';
import { LIMITS } from './limits.ts';
import { nodePathSchema, PRIORITIES, SOURCES, STATUSES } from './notification.ts';
import {
  findBadText,
  fitsBytes,
  isStorable,
  isStorableTime,
  pointerPath,
  safeLink,
  STORABLE_TEXT,
  STORABLE_TIMES,
} from './text.ts';
import { grouped } from './text.ts';

const text = z.string().refine(isStorable, { error: STORABLE_TEXT });

/** The bridge has accepted no other, and a page shows it as a link. */
const link = text.refine((value) => safeLink(value) === value, {
  error: 'an http: or https: address, or a path that begins with /',
});

/** Names are indexed: PostgreSQL indexes at most 2.7 KB. */
const name = text.refine((value) => fitsBytes(value, LIMITS.nameBytes.value), {
  error: `at most ${grouped(LIMITS.nameBytes.value)} bytes of UTF-8`,
});

const time = z.iso.datetime({ abort: true }).refine(isStorableTime, { error: STORABLE_TIMES });

/** Stored as JSON, in which PostgreSQL reads neither NUL nor half a surrogate pair. */
const extra = z.record(z.string(), z.unknown()).superRefine((value, context) => {
  for (const { pointer, allowed } of findBadText(value)) {
    context.addIssue({ code: 'custom', message: allowed, path: pointerPath(pointer) });
  }
});

export const archivedSchema = strictComponent('ArchivedNotification', 'A notification in an archive.', {
  id: idSchema.max(MAX_ARCHIVED_ID).describe('Its id, which it gets back when it is imported.'),
  timestamp: time.describe('When it arrived.'),
  title: text.describe('Title.'),
  body: text.describe('Body, in Markdown.'),
  category: name.describe('Category.'),
  dnpName: name.describe('Package.'),
  priority: oneOf('Priority.', PRIORITIES),
  status: oneOf('Status.', STATUSES),
  statusGiven: boolean('Whether the sender named the status.'),
  correlationId: name.describe('Its thread, together with the package and the node.'),
  isBanner: boolean('As sent.'),
  banner: boolean('Whether it is a banner or the end of one, unless as `isBanner`.').optional(),
  seen: boolean('Whether somebody had read it.'),
  muted: boolean('Whether it was muted.'),
  source: oneOf('Who sent it.', SOURCES),
  callToAction: z
    .strictObject({ title: text.describe('Title.'), url: link.describe('Address.') })
    .optional()
    .describe('Link.'),
  icon: text.optional().describe('Address of an image.'),
  errors: text.optional().describe('Errors, which hide it in the inbox.'),
  extra: extra.optional().describe('Other members, as they were stored.'),
  node: nodePathSchema.optional().describe('The node that it came from.'),
  sentAt: time.optional().describe('When the node received it.'),
  labels: labelsSchema.optional().describe('Labels.'),
});
export type Archived = z.output<typeof archivedSchema>;

export const archiveImportSchema = strictComponent('ArchiveImport', 'Archived notifications to store again.', {
  notifications: list(
    `At most ${LIMITS.archivedRows.value}. Newer ones first: all that follow are older.`,
    archivedSchema
  )
    .min(1)
    .max(LIMITS.archivedRows.value),
});

export const archiveImportedSchema = component('ArchiveImported', 'The result of an import.', {
  imported: integer('Stored again.'),
  present: integer('Stored already.'),
  conflicts: list('Ids of another notification in this database; not imported.', z.int()),
  pausedUntil: z.iso.datetime().describe('Retention removes nothing until then.'),
});
export type ArchiveImported = z.output<typeof archiveImportedSchema>;
