/** Operation `sendHeartbeat`, and heartbeats by the paths of Grafana OnCall. The guard of senders notes the use of the token. */
import type { Response } from 'express';
import type { FOREIGN } from '../../../contract/api/foreign.ts';
import type { NOTIFICATIONS } from '../../../contract/api/notifications.ts';
import { invalid } from '../../platform/http/problem.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import { onCallType } from '../webhooks/fromOnCall.ts';

export const heartbeatHandlers: Handlers<Pick<typeof NOTIFICATIONS, 'sendHeartbeat'>> = {
  sendHeartbeat({ res }) {
    requireSender(res, 'Authorization', 'Bearer and a sender token');
  },
};

export const onCallHeartbeats: Handlers<Pick<typeof FOREIGN, 'onCallHeartbeat' | 'onCallHeartbeatGet'>> = {
  onCallHeartbeat({ params, res }) {
    onCallType(params.type);
    requireSender(res, 'path', 'the type and a sender token');
    res.status(200).end();
  },
  onCallHeartbeatGet({ params, res }) {
    onCallType(params.type);
    requireSender(res, 'path', 'the type and a sender token');
    res.json(':)');
  },
};

/** @throws HttpProblem 400 */
function requireSender(res: Response, pointer: string, allowed: string): void {
  if (res.locals.sender === undefined) {
    const detail = 'A heartbeat requires a sender token, which says who is alive.';
    throw invalid([{ pointer, found: 'nothing', allowed, detail }]);
  }
}
