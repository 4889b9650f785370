/** POST /webhooks/grafana, /webhooks/alertmanager, /webhooks/gatus: many alerts in one body, stored whole or not at all. */
import { isUtf8 } from 'node:buffer';
import type { RequestHandler } from 'express';
import type { WEBHOOKS } from '../../../contract/api/webhooks.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { WebhookAnswer } from '../../../contract/query.ts';
import { applySender } from '../../platform/access/applySender.ts';
import type { Sender } from '../../platform/http/guard.ts';
import { rawBody } from '../../platform/http/body.ts';
import { locateSyntaxError } from '../../platform/http/jsonMistake.ts';
import { HttpProblem, invalid } from '../../platform/http/problem.ts';
import { senderOf } from '../../platform/http/senderKey.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import { fitIncoming } from '../../inbox/notifications/fit.ts';
import { eachOf, inTurns, type Steps } from '../../platform/runtime/steps.ts';
import type { Incoming, Receive, Received } from '../../inbox/notifications/receive.ts';
import { fromGatus } from './fromGatus.ts';
import { fromAlertmanager, fromGrafana } from './group.ts';
import { identityOf, LateEnds, onceOfBody, oncePerSender, type UnnamedSender } from './repeats.ts';
import { checkSignature, SIGNATURE_HEADER, TIMESTAMP_HEADER } from '../../platform/access/signature.ts';
import { addNote, type ReadGroup, type Reading } from './text.ts';

type ReadBody = (raw: unknown) => Steps<Reading<ReadGroup>>;

export interface WebhookDeps {
  /** Rejects alerts that have been here before (platform/http/via.ts). */
  via: RequestHandler;
  receive: Receive;
  /** Undefined: unsigned bodies of Grafana are accepted. */
  webhookSecret: string | undefined;
  /** UTC milliseconds. */
  now: () => number;
  /** A subset of pino. */
  log: { info(fields: object, message: string): void };
}

/** Each reads the bytes of its body by itself, since signatures cover them. */
export function webhookHandlers(deps: WebhookDeps): Handlers<typeof WEBHOOKS> {
  const body = rawBody({ limit: LIMITS.webhookBodyBytes.value, elements: LIMITS.webhookBodyElements.value });
  const lateEnds = new LateEnds();
  const signedBy = deps.webhookSecret === undefined ? 'open' : 'signed';
  const { via } = deps;
  const grafana = [via, ...body, signed(deps), groupHandler(deps, lateEnds, (raw) => fromGrafana(raw), signedBy)];
  return {
    grafanaWebhook: grafana,
    grafanaWebhookPut: grafana,
    alertmanagerWebhook: [via, ...body, groupHandler(deps, lateEnds, (raw) => fromAlertmanager(raw), 'open')],
    gatusWebhook: [via, jsonUnlessSaid, ...body, gatusHandler(deps)],
  };
}

/** Gatus sends a GET by default, and logs the response: the place to explain the configuration. */
export const needsMethod: RequestHandler = (req) => {
  throw new HttpProblem(
    'method-not-allowed',
    `Found ${req.method}: set "method: POST" in Gatus' custom alert provider.`,
    { headers: { Allow: 'POST' } }
  );
};

/**
 * Gatus sends no Content-Type by default. Neither does a cross-origin page that sends bytes without a type, which must be rejected; but
 * a browser always adds an Origin (Fetch standard, "append a request Origin header").
 */
const jsonUnlessSaid: RequestHandler = (req, _res, next) => {
  if (req.headers['content-type'] === undefined && req.headers.origin === undefined) {
    req.headers['content-type'] = 'application/json';
  }
  next();
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

function groupHandler(
  { receive, now, log }: WebhookDeps,
  lateEnds: LateEnds,
  read: ReadBody,
  unnamed: UnnamedSender
): RequestHandler {
  return async (req, res) => {
    const { text, notes: bytes } = decode(req.body as Buffer);
    const { alerts: given, notices, truncated, notes } = valueOf(await inTurns(read(withinLimit(parse(text)))));
    const { sender } = res.locals;
    const from = identityOf(sender, unnamed);
    const origin = { sender, key: senderOf(req, res), via: res.locals.via, signed: from === 'signed', notes };
    const receivedAt = now();
    const alerts = await inTurns(
      eachOf(given, (alert) => ({ ...alert, incoming: normalised(alert.incoming, origin) }))
    );
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
    const received = await store(receive, await inTurns(eachOf(incoming, (one) => oncePerSender(one, from))));
    await inTurns(eachOf(alerts, (alert) => lateEnds.remember(from, [alert], receivedAt)));
    res.json(toAnswer(log, received, { late, truncated, notes: [...bytes, ...notes] }));
  };
}

function gatusHandler({ receive, log }: WebhookDeps): RequestHandler {
  return async (req, res) => {
    const { text, notes: bytes } = decode(req.body as Buffer);
    const { incoming: read, notes } = valueOf(fromGatus(text));
    const { sender } = res.locals;
    const from = identityOf(sender, 'open');
    const incoming = normalised(read, { sender, key: senderOf(req, res), via: res.locals.via, notes });
    const received = await store(receive, [{ ...incoming, once: onceOfBody(incoming, from, text) }]);
    res.json(toAnswer(log, received, { late: 0, truncated: 0, notes: [...bytes, ...notes] }));
  };
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw locateSyntaxError(text, error);
  }
}

const MAX_ALERTS = LIMITS.webhookAlerts.value;

/** @throws HttpProblem 413 before the alerts are validated */
function withinLimit(raw: unknown): unknown {
  const { alerts } = (raw ?? {}) as { alerts?: unknown };
  if (Array.isArray(alerts) && alerts.length > MAX_ALERTS) {
    throw new HttpProblem(
      'too-large',
      `Found ${alerts.length} alerts, allowed are ${MAX_ALERTS} in one webhook. Nothing was stored. Set max_alerts, or group by more labels.`
    );
  }
  return raw;
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
