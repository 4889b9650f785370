/** Restrictions and defaults of a sender's token. */
import { DEFAULTS, type NotificationPayload } from '../../../contract/notification.ts';
import { show } from '../../../contract/text.ts';
import type { Sender } from '../http/guard.ts';
import { problemAt } from '../http/problem.ts';

/**
 * @param sender undefined: no token was given, nothing is limited
 * @returns the payload, with the token's node, and with its first package where it named none
 * @throws HttpProblem 403 when it names a package that is not the token's
 */
export function applySender(payload: NotificationPayload, sender: Sender | undefined): NotificationPayload {
  if (sender === undefined) {
    return payload;
  }
  const node = nodeOf(payload.node, sender);
  return withPackage(node === payload.node ? payload : { ...payload, node }, sender);
}

/** A token decides the name of the node that sends. The nodes from which that one received it stay as they are. */
export function nodeOf(given: string | undefined, { node }: Pick<Sender, 'node'>): string | undefined {
  if (node === undefined) {
    return given;
  }
  const before = given?.includes('/') ? given.slice(given.indexOf('/')) : '';
  return `${node}${before}`;
}

function withPackage(payload: NotificationPayload, { packages }: Sender): NotificationPayload {
  const [first] = packages;
  if (first === undefined) {
    return payload;
  }
  const dnpName = payload.dnpName;
  // "unknown" is what others see of a payload without a package; here it means the same.
  if (dnpName === undefined || dnpName === DEFAULTS.dnpName) {
    return { ...payload, dnpName: first };
  }
  if (packages.includes(dnpName)) {
    return payload;
  }
  const allowed = packages.map((name) => JSON.stringify(name)).join(', ');
  const detail = `This token may send for ${allowed} only; found ${show(dnpName)}.`;
  throw problemAt('forbidden', { pointer: '/dnpName', found: show(dnpName), allowed, detail });
}
