/** Webhooks, and other programs' APIs, by the table of adapters: many alerts in one body are stored whole or not at all. */
import { randomUUID } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import type { Request, RequestHandler, Response } from 'express';
import type { Actor } from '../../../contract/audit.ts';
import type { FOREIGN } from '../../../contract/api/foreign.ts';
import type { WEBHOOKS } from '../../../contract/api/webhooks.ts';
import type { Mapping } from '../../../contract/mapping.ts';
import type { NotificationPayload } from '../../../contract/notification.ts';
import type { WebhookAnswer } from '../../../contract/query.ts';
import { applySender } from '../../platform/access/applySender.ts';
import { senderActorOf } from '../../platform/http/actor.ts';
import type { Sender } from '../../platform/http/guard.ts';
import { queryOf } from '../../platform/http/query.ts';
import { HttpProblem, invalid } from '../../platform/http/problem.ts';
import { senderOf } from '../../platform/http/senderKey.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import { fitIncoming } from '../../inbox/notifications/fit.ts';
import { inTurns, mapInTurns } from '../../platform/runtime/steps.ts';
import type { Incoming, Receive, Received } from '../../inbox/notifications/receive.ts';
import type { Dialect, Posted } from './dialect.ts';
import { dialectsOf } from './dialects.ts';
import { mapped } from './fromMapped.ts';
import { identityOf, LateEnds, oncePerSender, retriesOf } from './repeats.ts';
import { checkSignature, SIGNATURE_HEADER, TIMESTAMP_HEADER } from '../../platform/access/signature.ts';
import { addNote, type Reading } from './text.ts';

export interface WebhookDeps {
  /** Rejects alerts that have been here before (platform/http/via.ts). */
  via: RequestHandler;
  receive: Receive;
  /** Acknowledges the thread of a notification, if it is open. */
  acknowledge: (payload: NotificationPayload, by: Actor) => Promise<unknown>;
  /** Undefined: unsigned bodies of Grafana are accepted. */
  webhookSecret: string | undefined;
  /** The mapping of a name. */
  mapping: (name: string) => Promise<Mapping | undefined>;
  /** UTC milliseconds. */
  now: () => number;
  /** A subset of pino. */
  log: { info(fields: object, message: string): void };
}

/** Each adapter reads the bytes of its body by itself, since signatures cover them. */
export function webhookHandlers(
  deps: WebhookDeps
): Handlers<typeof WEBHOOKS & Omit<typeof FOREIGN, `onCallHeartbeat${string}`>> {
  const lateEnds = new LateEnds();
  const dialects = dialectsOf(deps.webhookSecret === undefined ? undefined : signed(deps), mapped(deps.mapping));
  return mapValues(dialects, (dialect) => [deps.via, ...dialect.before, handlerOf(deps, lateEnds, dialect)]);
}

const mapValues = <K extends string, A, B>(table: Record<K, A>, map: (value: A) => B): Record<K, B> =>
  Object.fromEntries(Object.entries<A>(table).map(([key, value]) => [key, map(value)])) as Record<K, B>;

/** Gatus sends a GET by default, and logs the response: the place to explain the configuration. */
export const needsMethod: RequestHandler = (req) => {
  throw new HttpProblem(
    'method-not-allowed',
    `Found ${req.method}: set "method: POST" in Gatus' custom alert provider.`,
    { headers: { Allow: 'POST' } }
  );
};

function signed({ webhookSecret, now }: WebhookDeps): RequestHandler {
  return (req, _res, next) => {
    if (webhookSecret !== undefined) {
      const body = req.body as Buffer;
      const result = checkSignature(
        { body, signature: req.get(SIGNATURE_HEADER), timestamp: req.get(TIMESTAMP_HEADER) },
        webhookSecret,
        now()
      );
      if (result !== 'valid') {
        throw new HttpProblem('forbidden', SIGNATURE_ERRORS[result]);
      }
    }
    next();
  };
}

const SIGNATURE_ERRORS = {
  missing: `The webhook is not signed: enter the bridge's webhook secret as HMAC secret of the contact point, with the header ${SIGNATURE_HEADER}.`,
  wrong: `The signature in ${SIGNATURE_HEADER} does not match: check the HMAC secret of the contact point and, if it names a timestamp header, that this is ${TIMESTAMP_HEADER}.`,
  old: 'The webhook was signed more than five minutes from now: check the clocks of Grafana and of the bridge.',
} as const;

function handlerOf(
  { receive, acknowledge, now, log }: WebhookDeps,
  lateEnds: LateEnds,
  dialect: Dialect
): RequestHandler {
  return async (req, res) => {
    const { posted: given, notes: bytes } = readPosted(req, res);
    const key = senderOf(req, res);
    const posted = (await dialect.prepare?.(given, key)) ?? given;
    const group = valueOf(await inTurns(dialect.read(posted)));
    const { notices, truncated, notes } = group;
    const { sender } = res.locals;
    const from = identityOf(sender, dialect.unnamed ?? 'open');
    const origin = { sender, key, via: res.locals.via, signed: from === 'signed', notes };
    const receivedAt = now();
    const alerts = await mapInTurns(group.alerts, (alert) => ({
      ...alert,
      incoming: normalised(alert.incoming, origin),
    }));
    const timely = alerts.filter((alert) => !lateEnds.isLate(from, alert, receivedAt));
    const late = alerts.length - timely.length;
    if (late > 0) {
      addNote(
        notes,
        `${late} resolved: of firing periods that newer ones have followed; left out, so that these stay open`
      );
    }
    const incoming = [
      ...timely.map((alert) => alert.incoming),
      ...notices.map((notice) => normalised(addressed(notice, sender), origin)),
    ];
    const onceOfBody = dialect.retries && retriesOf(from, JSON.stringify(posted.params) + posted.text);
    const once = (one: Incoming): Incoming =>
      one.once === undefined && onceOfBody ? { ...one, once: onceOfBody(one) } : oncePerSender(one, from);
    const received = await store(receive, await mapInTurns(incoming, once));
    if (group.acknowledges) {
      await acknowledge(normalised(group.acknowledges, origin).payload, senderActorOf(req, res));
    }
    await mapInTurns(alerts, (alert) => lateEnds.remember(from, [alert], receivedAt));
    const answer = toAnswer(log, received, { late, truncated, notes: [...bytes, ...notes] });
    const { status = 200, body } = dialect.reply?.({ posted, group, received, receivedAt }) ?? { body: answer };
    res.status(status).json(body);
  };
}

function readPosted(req: Request, res: Response): { posted: Posted; notes: string[] } {
  const { text, notes } = decode((req.body as Buffer | undefined) ?? Buffer.alloc(0));
  const posted: Posted = {
    text,
    form: res.locals.form,
    params: req.params as Record<string, string>,
    query: new URLSearchParams(queryOf(req)),
    header: (name) => req.get(name),
    newId: () => randomUUID().replaceAll('-', ''),
  };
  return { posted, notes };
}

interface From {
  sender: Sender | undefined;
  /** See {@link senderOf}. */
  key: string;
  /** As in Incoming. */
  via: readonly string[] | undefined;
  signed?: boolean;
  notes: string[];
}

/**
 * Shortens it to the limits of a notification and applies the sender's token.
 * @throws HttpProblem 403, for the whole body, if the sender's token does not allow the package
 */
function normalised(incoming: Incoming, { sender, key, via, signed, notes }: From): Incoming {
  const fitted = fitIncoming(incoming, (note) => addNote(notes, note));
  return { ...fitted, payload: applySender(fitted.payload, sender), sender: key, via, signed };
}

/** Notices of the bridge belong to the receiver's name; for a token that is limited to packages, to its package. */
function addressed(notice: Incoming, sender: Sender | undefined): Incoming {
  const { dnpName, ...rest } = notice.payload;
  const bound = sender !== undefined && sender.packages.length > 0 && !sender.packages.includes(dnpName ?? '');
  return bound ? { ...notice, payload: rest } : notice;
}

/** Invalid UTF-8 becomes U+FFFD, so that the alert is not lost. A byte order mark is dropped. */
function decode(bytes: Buffer): { text: string; notes: string[] } {
  const notes = isUtf8(bytes) ? [] : ['bytes that are not UTF-8 were replaced'];
  return { text: new TextDecoder().decode(bytes), notes };
}

function valueOf<T>(reading: Reading<T>): T {
  if (!reading.ok) {
    throw invalid(reading.errors, 'the body');
  }
  return reading.value;
}

async function store(receive: Receive, incoming: Incoming[]): Promise<Received[]> {
  return incoming.length === 0 ? [] : receive(incoming);
}

function toAnswer(
  log: WebhookDeps['log'],
  received: readonly Received[],
  { late, truncated, notes }: { late: number; truncated: number; notes: string[] }
): WebhookAnswer {
  const accepted = received.filter(({ outcome }) => outcome === 'stored').length;
  received.forEach((one) => one.outcome === 'stored' && one.note !== undefined && addNote(notes, one.note));
  if (notes.length > 0) {
    // Monitors discard the response, so the operator finds this in the log.
    log.info({ accepted, notes }, 'webhook stored with changes');
  }
  const counts = { accepted, duplicates: received.length - accepted + late, truncated };
  return notes.length > 0 ? { ...counts, notes } : counts;
}
