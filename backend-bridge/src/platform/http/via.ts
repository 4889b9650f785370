/** Ends loops of webhooks: a channel of a bridge may lead to its own intake, directly or through others. docs/channels.md. */
import type { RequestHandler } from 'express';
import { LIMITS } from '../../../contract/limits.ts';
import { show } from '../../../contract/text.ts';
import { parseVia, VIA_HEADER, viaSchema } from '../../../contract/via.ts';
import { HttpProblem, invalid } from './problem.ts';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how Express lets `res.locals` be typed
  namespace Express {
    interface Locals {
      /** Bridges through which the notification has come, the one that sent it last. */
      via?: readonly string[];
    }
  }
}

const HEADER = VIA_HEADER.toLowerCase();

/**
 * Reads `Nodebell-Via` into `res.locals.via`. Uses the members of Node's own request only, as {@link sendHandlers} do.
 * @param bridge the id of this one
 * @throws HttpProblem 409 if the notification has been here before; 400 if the header is not valid
 */
export function viaGuard(bridge: string): RequestHandler {
  return (req, res, next) => {
    const header = req.headers[HEADER];
    if (header !== undefined) {
      const { data: via } = viaSchema.safeParse(parseVia(String(header)));
      if (via === undefined) {
        throw notValid(String(header));
      }
      if (via.includes(bridge)) {
        throw new HttpProblem('loop', 'The notification has been at this bridge before. It is not stored again.');
      }
      res.locals.via = via;
    }
    next();
  };
}

function notValid(header: string): HttpProblem {
  const allowed = `at most ${LIMITS.viaBridges.value} ids of bridges, separated by commas`;
  const detail = `The header ${VIA_HEADER} must be ${allowed}; only bridges set it.`;
  return invalid([{ pointer: VIA_HEADER, found: show(header), allowed, detail }]);
}
