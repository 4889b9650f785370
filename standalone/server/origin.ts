import type { IncomingHttpHeaders } from 'node:http';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/**
 * Whoever reaches this server acts with the bridge's token, so pages of other sites must not. As in Grafana, an Origin
 * must be that of the requested host; beyond it, the host must be this machine, so that a foreign name that was pointed
 * at the loopback address does not pass for us.
 */
export function isForeign({ host, origin }: IncomingHttpHeaders): boolean {
  if (!host || !LOOPBACK.test(host)) {
    return true;
  }
  return origin !== undefined && URL.parse(origin)?.host !== host;
}
