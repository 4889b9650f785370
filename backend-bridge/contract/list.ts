/** Query of the list of notifications. */
import { z } from 'zod';
import { countQuery, oneOf, string } from './schema.ts';
import { exportFormat } from './exportFormat.ts';
import { LIMITS } from './limits.ts';
import { DEFAULT_LIMIT, filterShape, MAX_LIMIT } from './query.ts';

export const listQuerySchema = z.strictObject({
  ...filterShape,
  limit: countQuery(
    `Rows of one page. A page ends earlier when it holds ${LIMITS.listBytes.value / 2 ** 20} MiB: follow the header \`Link\`.`,
    MAX_LIMIT,
    DEFAULT_LIMIT
  ),
  bursts: oneOf(
    'With `latest` or `open`, and without `q`: `collapsed` returns one row for each burst of threads of one source, its newest thread, with `thread.burst`. A burst is open, or unread, while one of its threads is.',
    ['expanded', 'collapsed'],
    { default: 'expanded' }
  ).optional(),
  format: exportFormat('all that match, newest first'),
  cursor: string('From the `Link` header of the previous page, with the same filter.').max(500).optional(),
});
