/** Operation `listLabels`: completes names and values in the filter of the inbox. */
import type { NOTIFICATIONS } from '../../../contract/api/notifications.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { distinctLabels } from './distinct.ts';

const limit = LIMITS.listedLabels.value;

export const labelHandlers = (db: Database): Handlers<Pick<typeof NOTIFICATIONS, 'listLabels'>> => ({
  async listLabels({ query }) {
    const found = await distinctLabels(db, { ...query, limit: limit + 1 });
    return { texts: found.slice(0, limit), more: found.length > limit };
  },
});
