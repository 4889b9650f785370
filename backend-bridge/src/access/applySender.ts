/** What a sender's token allows it to send, and what it fills in. */
import { DEFAULTS, type NotificationPayload } from '../../contract/notification.ts';
import { show } from '../../contract/text.ts';
import type { Sender } from '../http/auth.ts';
import { HttpProblem } from '../http/problem.ts';

/**
 * @param sender undefined: no token was given, nothing is limited
 * @returns the payload, with the token's first package where it named none
 * @throws HttpProblem 403 when it names a package that is not the token's
 */
export function applySender(payload: NotificationPayload, sender: Sender | undefined): NotificationPayload {
  const first = sender?.packages[0];
  if (sender === undefined || first === undefined) {
    return payload;
  }
  const dnpName = payload.dnpName;
  // "unknown" is what others see of a payload without a package; here it means the same.
  if (dnpName === undefined || dnpName === DEFAULTS.dnpName) {
    return { ...payload, dnpName: first };
  }
  if (sender.packages.includes(dnpName)) {
    return payload;
  }
  const allowed = sender.packages.map((name) => JSON.stringify(name)).join(', ');
  const detail = `This token may send for ${allowed} only; found ${show(dnpName)}.`;
  throw new HttpProblem('forbidden', detail, {
    errors: [{ pointer: '/dnpName', found: show(dnpName), allowed, detail }],
  });
}
