/** Operations on retention and archives. 409 while a provisioning file sets the policy. */
import type { RETENTION } from '../../../contract/api/retention.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import type { Retention } from './service.ts';

export const retentionHandlers = (
  retention: Pick<Retention, 'status' | 'set' | 'preview' | 'import'>
): Handlers<typeof RETENTION> => ({
  getRetention: () => retention.status(),
  setRetention: ({ body, by, query }) => retention.set(body, by, query.revision),
  previewRetention: ({ body }) => retention.preview(body),
  importArchive: ({ body, by }) => retention.import(body.notifications, by),
});
