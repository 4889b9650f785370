/** Operation `sendNotification`. */
import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { readPayload, readUsablePayload } from '../../../contract/readPayload.ts';
import { cleanJson, show } from '../../../contract/text.ts';
import { applySender } from '../../platform/access/applySender.ts';
import { jsonBody } from '../../platform/http/body.ts';
import { writeJson } from '../../platform/http/directRoute.ts';
import type { Sender } from '../../platform/http/guard.ts';
import { HttpProblem, invalid } from '../../platform/http/problem.ts';
import { queryOf } from '../../platform/http/query.ts';
import { senderOf } from '../../platform/http/senderKey.ts';
import { fitExtra, shortName } from './fit.ts';
import type { Inbox } from './inbox.ts';
import type { Incoming } from './receive.ts';
import { onceOfKey } from './receipts.ts';

/** Where notifications are sent to. */
export const SEND_PATH = '/api/v1/notifications';

/** Reads and answers a send. Uses the members of Node's own request and response only: see platform/http/directRoute.ts. */
export function sendHandlers(inbox: Inbox): RequestHandler[] {
  // Excessive nesting is left out, or rejected, by the reader of the payload.
  return [...jsonBody({ levels: Infinity }), (req, res) => send(inbox, req, res)];
}

/** A notification of a sender, and what the request says besides its body. */
export interface Sent {
  body: unknown;
  /** Idempotency key. */
  key: string | undefined;
  via: readonly string[] | undefined;
  strict: boolean;
  sender: Sender | undefined;
  /** Its `senderKey`. */
  from: string;
  /** The one device that it is for. */
  device?: string | undefined;
}

/**
 * Reads one notification.
 * @returns what the inbox receives, and notes for the response
 * @throws HttpProblem
 */
export function readSent({ body, key, via, strict, sender, from, device }: Sent): {
  incoming: Incoming;
  notes: string[];
} {
  const read = strict ? readPayload(body) : readUsablePayload(body, shortName);
  if (!read.ok) {
    throw invalid(read.errors, 'the notification');
  }
  const { ignored } = read.value;
  const notes: string[] = [];
  const sent = device === undefined ? read.value.extra : { ...read.value.extra, subscriptionEndpoint: device };
  const extra = fitExtra(sent, (note) => notes.push(note));
  const payload = applySender(read.value.payload, sender);
  const once = key === undefined ? undefined : onceOfKey(sender?.id, from, key);
  const hash = once && hashOf(ignored ? cleanJson(body).value : body);
  return {
    incoming: { payload, extra, ignored, source: 'api', sender: from, via, once: once && { ...once, hash } },
    notes,
  };
}

/** Why a notification whose key was used before is not stored. */
export const keyProblem = (outcome: 'conflict' | 'gone'): HttpProblem =>
  outcome === 'conflict'
    ? new HttpProblem(
        'conflict',
        'This Idempotency-Key was used with another body. Use a new key for a new notification.'
      )
    : new HttpProblem('gone', 'This Idempotency-Key was used for a notification that has been deleted since.');

async function send(inbox: Inbox, req: Request, res: Response): Promise<void> {
  const { incoming, notes } = readSent({
    body: req.body,
    key: idempotencyKey(req),
    via: res.locals.via,
    strict: isStrict(req),
    sender: res.locals.sender,
    from: senderOf(req, res),
    device: deviceOf(req),
  });
  const { ignored } = incoming;
  const [received] = await inbox.receive([incoming]);
  switch (received?.outcome) {
    case 'stored': {
      const all = [...notes, ...(received.note === undefined ? [] : [received.note])];
      const sent = { ...received.notification, ignored, ...(all.length > 0 && { notes: all }) };
      writeJson(res, 201, sent, { Location: `${SEND_PATH}/${received.id}` });
      return;
    }
    case 'duplicate':
      // An equal key means an equal body, so its ignored members are equal, too.
      writeJson(res, 200, { ...received.notification, ignored });
      return;
    default:
      throw keyProblem(received?.outcome ?? 'gone');
  }
}

/** Other parameters do not concern the bridge, and lose no notification. */
export function isStrict(req: Request): boolean {
  const given = parameterOf(req, 'strict') ?? 'false';
  if (given === 'true' || given === 'false') {
    return given === 'true';
  }
  const allowed = 'true or false';
  const found = show(given);
  throw invalid([{ pointer: '?strict', found, allowed, detail: `"strict" must be ${allowed}; found ${found}.` }]);
}

/** The one device that DAppNode's manager sends it to; its client escapes the value twice. */
function deviceOf(req: Request): string | undefined {
  const escaped = parameterOf(req, 'subscriptionEndpoint');
  return escaped === null ? undefined : unescaped(escaped);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param body not nested deeper than {@link cleanJson} leaves it: stringify is recursive */
const hashOf = (body: unknown): string => createHash('sha256').update(JSON.stringify(body)).digest('base64url');

export function idempotencyKey(req: Request): string | undefined {
  const key = req.headers['idempotency-key'];
  if (key === undefined || (typeof key === 'string' && /^[\x21-\x7e]{1,200}$/.test(key))) {
    return key;
  }
  const allowed = '1 to 200 visible ASCII characters';
  const detail = `The header Idempotency-Key must be ${allowed}.`;
  throw invalid([{ pointer: 'Idempotency-Key', found: 'something else', allowed, detail }]);
}

const parameterOf = (req: Request, name: string): string | null =>
  req.url.includes('?') ? new URLSearchParams(queryOf(req)).get(name) : null;
