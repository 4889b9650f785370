/** Operation `sendHeartbeat`. The guard of senders notes the use of the token. */
import type { NOTIFICATIONS } from '../../../contract/api/notifications.ts';
import { invalid } from '../../platform/http/problem.ts';
import type { Handlers } from '../../platform/http/serve.ts';

export const heartbeatHandlers: Handlers<Pick<typeof NOTIFICATIONS, 'sendHeartbeat'>> = {
  sendHeartbeat({ res }) {
    if (res.locals.sender === undefined) {
      const detail = 'A heartbeat requires a sender token, which says who is alive.';
      throw invalid([{ pointer: 'Authorization', found: 'nothing', allowed: 'Bearer and a sender token', detail }]);
    }
  },
};
