/** Requests of one connection run one after another: Node emits all that a client has pipelined at once. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LIMITS } from '../../../contract/limits.ts';

type Waiting = readonly [IncomingMessage, ServerResponse];

interface Connection {
  /** A request of it is running. */
  busy: boolean;
  waiting: Waiting[];
}

/**
 * A request waits until the response before it on its connection has been sent (RFC 9112, section 9.3.2). A connection on which too many
 * wait is closed, and its waiting requests are dropped, as are those of a connection that the client closes.
 */
export function oneAtATime(app: RequestListener, most: number = LIMITS.pipelinedRequests.value): RequestListener {
  // An entry for each connection, not for each request: entries of a weak map are costly to collect.
  const connections = new WeakMap<Socket, Connection>();
  const run = (connection: Connection, req: IncomingMessage, res: ServerResponse): void => {
    connection.busy = true;
    res.once('close', () => {
      connection.busy = false;
      const next = req.socket.destroyed ? undefined : connection.waiting.shift();
      if (next) {
        run(connection, ...next);
      }
    });
    app(req, res);
  };
  return (req, res) => {
    const { socket } = req;
    let connection = connections.get(socket);
    if (connection === undefined) {
      connections.set(socket, (connection = { busy: false, waiting: [] }));
    }
    const { busy, waiting } = connection;
    if (!busy) {
      run(connection, req, res);
    } else if (waiting.length < most) {
      waiting.push([req, res]);
    } else {
      waiting.length = 0;
      socket.destroy();
    }
  };
}
