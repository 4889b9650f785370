/** Requests of one connection run one after another: Node emits all that a client has pipelined at once. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LIMITS } from '../../../contract/limits.ts';

type Waiting = readonly [IncomingMessage, ServerResponse];

/**
 * A request waits until the response before it on its connection has been sent (RFC 9112, section 9.3.2). A connection on which too many
 * wait is closed, and its waiting requests are dropped, as are those of a connection that the client closes.
 */
export function oneAtATime(app: RequestListener, most: number = LIMITS.pipelinedRequests.value): RequestListener {
  const busy = new WeakMap<Socket, Waiting[]>();
  const run = (req: IncomingMessage, res: ServerResponse): void => {
    const { socket } = req;
    res.once('close', () => {
      const next = socket.destroyed ? undefined : busy.get(socket)?.shift();
      if (next) {
        run(...next);
      } else {
        busy.delete(socket);
      }
    });
    app(req, res);
  };
  return (req, res) => {
    const waiting = busy.get(req.socket);
    if (waiting === undefined) {
      busy.set(req.socket, []);
      run(req, res);
    } else if (waiting.length < most) {
      waiting.push([req, res]);
    } else {
      waiting.length = 0;
      req.socket.destroy();
    }
  };
}
