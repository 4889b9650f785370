/** Real receivers on this machine: a web server, a Telegram Bot API, an ntfy server, and a mail server. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Body as received. */
  text: string;
  /** Members of JSON, or fields of a form. */
  json: Record<string, unknown>;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  /** JSON, or plain text. */
  body?: object | string;
}

export interface Receiver {
  url: string;
  /** Accepted requests, in order. */
  accepted: Received[];
  /** All requests, accepted or not. */
  arrived: Received[];
  /** The next request gets this; several are used one after another. */
  reject(...replies: Reply[]): void;
  /** Rejects each request with this, until it is undefined. */
  broken: Reply | undefined;
  /** Requests that are held back until it is called; undefined: none are. */
  close(): Promise<void>;
}

const membersOf = (body: string, headers: IncomingHttpHeaders): Received['json'] =>
  headers['content-type'] === 'application/x-www-form-urlencoded'
    ? Object.fromEntries(new URLSearchParams(body))
    : ((body === '' ? {} : JSON.parse(body)) as Received['json']);

/** @param respond to a request that no test rejects */
export async function startReceiver(
  respond: (request: Received) => Reply | Promise<Reply>,
  port = 0
): Promise<Receiver> {
  const replies: Reply[] = [];
  const receiver = { accepted: [] as Received[], arrived: [] as Received[], broken: undefined as Reply | undefined };
  const handle = async (request: IncomingMessage): Promise<Reply> => {
    const body = await text(request);
    const { method = '', url: path = '', headers } = request;
    const received = {
      method,
      path,
      headers,
      text: body,
      json: membersOf(body, headers),
    };
    receiver.arrived.push(received);
    const reply = replies.shift() ?? receiver.broken ?? (await respond(received));
    if (reply.status < 300) {
      receiver.accepted.push(received);
    }
    return reply;
  };
  const server = createServer((request, response) => {
    void handle(request).then(
      ({ status, headers, body }) => {
        const isText = typeof body === 'string';
        response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
        response.end(body === undefined || isText ? body : JSON.stringify(body));
      },
      () => response.destroy()
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reject: (...some: Reply[]) => void replies.push(...some),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  });
}

/** Accepts any request. */
export const startHook = (): Promise<Receiver> => startReceiver(() => ({ status: 200 }));

/** Rejections of ntfy, with its codes. */
export const NTFY = {
  flood: {
    status: 429,
    body: { code: 42901, http: 429, error: 'limit reached: too many requests', link: 'https://ntfy.sh/docs/publish/' },
  },
  forbidden: { status: 403, body: { code: 40301, http: 403, error: 'forbidden' } },
  callQuota: { status: 429, body: { code: 42910, http: 429, error: 'limit reached: daily phone call quota reached' } },
} as const;

/** @param verified phone number of the user */
export function startNtfy(verified?: string): Promise<Receiver> {
  const bad = (code: number, error: string): Reply => ({ status: 400, body: { code, http: 400, error } });
  return startReceiver(({ method, path, headers, text: whole, json }) => {
    const { topic, message, priority, call, sequence_id: sequence } = json;
    if (method !== 'POST' || path !== '/') {
      return { status: 404, body: { code: 40401, http: 404, error: 'page not found' } };
    }
    // Both limits count as reached by a body of that length (util/peek.go).
    if (Buffer.byteLength(whole) >= 8192) {
      return { status: 413, body: { code: 41303, http: 413, error: 'JSON body too large' } };
    }
    if (typeof topic !== 'string' || !/^[-_A-Za-z0-9]{1,64}$/.test(topic)) {
      return bad(40009, 'invalid request: topic invalid');
    }
    if (typeof sequence !== 'string' || !/^[-_A-Za-z0-9]{1,64}$/.test(sequence)) {
      return bad(40049, 'invalid request: sequence ID invalid');
    }
    if (![1, 2, 3, 4, 5].includes(priority as number)) {
      return bad(40007, 'invalid request: priority invalid');
    }
    if (Buffer.byteLength(String(message)) >= 4096) {
      return bad(40014, 'invalid request: attachments not allowed');
    }
    if (call !== undefined && headers.authorization === undefined) {
      return bad(40035, 'invalid request: anonymous phone calls are not allowed');
    }
    if (call !== undefined && (verified === undefined || ![verified, 'yes'].includes(call as string))) {
      return bad(40034, 'invalid request: phone number not verified, or no matching verified numbers found');
    }
    return { status: 200, body: { id: 'hwQ2YpKdmg', time: 1, event: 'message', topic, message } };
  });
}

export interface Mail {
  from: string;
  to: string[];
  /** Header fields by name in lower case, unfolded. */
  headers: Record<string, string>;
  /** The whole mail. */
  text: string;
  isEncrypted: boolean;
  user: string | undefined;
}

export interface MailServer {
  port: number;
  mails: Mail[];
  /** The next mail is rejected with this status of SMTP. */
  reject(status: number): void;
  close(): Promise<void>;
}

export async function startMail(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: Mail[] = [];
  const rejections: number[] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    ...options,
    onData(stream, session, callback) {
      void text(stream).then((whole) => {
        const status = rejections.shift();
        if (status !== undefined) {
          callback(Object.assign(new Error('not now'), { responseCode: status }));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          headers: headersOf(whole),
          text: whole,
          isEncrypted: session.secure,
          user: session.user as string | undefined,
        });
        callback();
      }, callback);
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    reject: (status) => void rejections.push(status),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function headersOf(mail: string): Record<string, string> {
  const [head = ''] = mail.split('\r\n\r\n', 1);
  const fields = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  return Object.fromEntries(
    fields.map((field) => {
      const at = field.indexOf(':');
      return [field.slice(0, at).toLowerCase(), field.slice(at + 1).trim()];
    })
  );
}
