/**
 * Silences at the source of an alert: of Grafana, or of an Alertmanager that Grafana has as a data source. Page and bridge send the
 * same requests to Grafana's HTTP API (`/api/alertmanager/{uid}/api/v2`, of Alertmanager's API 0.25 and later), each with their own credentials.
 */
import { z } from 'zod';
import { boolean, component, integer, list, objects, oneOf, strictComponent, string, time } from './schema.ts';
import type { Notification, SourceAlert } from './notification.ts';
import { LIMITS } from './limits.ts';
import { formatMatcher, type Matcher } from './matchers.ts';
import { flag } from './query.ts';
import { fitsBytes, grouped, isStorable, STORABLE_TEXT } from './text.ts';
import { urlSegment, urlValue } from './url.ts';

/** Grafana's own Alertmanager, in the place of the uid of a data source. */
export const GRAFANA = 'grafana';
/** The bridge's own Alertmanager (contract/api/alertmanager.ts), in the same place. */
export const NODEBELL = 'nodebell';
/** Grafana's label for the rule of an alert, which it leaves out of webhooks. */
export const RULE_LABEL = '__alert_rule_uid__';

const text = (bytes: number) =>
  z
    .string()
    .refine((one) => fitsBytes(one, bytes), { error: `at most ${grouped(bytes)} bytes of UTF-8` })
    .refine(isStorable, { error: STORABLE_TEXT });

export const matcherSchema: z.ZodType<Matcher> = component('Matcher', 'A condition on a label of alerts.', {
  name: text(LIMITS.matcherBytes.value)
    .refine((one) => one !== '', { error: 'the name of a label' })
    .describe('Name of a label.')
    .meta({ examples: ['instance'] }),
  value: text(LIMITS.matcherBytes.value).describe('Value, or regular expression (RE2, anchored).'),
  isRegex: boolean('The value is a regular expression.'),
  isEqual: boolean('False: alerts that do not match.'),
});

const SILENCE_STATES = ['active', 'pending', 'expired'] as const;

export const silenceSchema = component('Silence', 'A silence.', {
  id: string('Assigned by the Alertmanager.'),
  alertmanager: string('`grafana`, or the uid of a data source.'),
  by: string('Who created it, as the Alertmanager has it.'),
  comment: string('Why.'),
  startsAt: time('When it began.'),
  until: time('When it ends.'),
  matchers: list('All of them must match.', matcherSchema),
  alerts: objects('Firing alerts that it silences, from the Alertmanager.', {
    correlationId: string('correlationId of the thread.'),
    dnpName: string('Package of the thread. Absent: no label names it.').optional(),
  }),
  state: oneOf('active: now. pending: it begins later. expired: it has ended.', SILENCE_STATES),
});
export type Silence = z.infer<typeof silenceSchema>;

export const alertmanagerSchema = z.object({
  id: string('`grafana`, `nodebell` for that of the bridge, or the uid of a data source.'),
  name: string('Name of the data source.'),
  reason: string('Why its silences could not be read. Absent: they could.').optional(),
});
export type Alertmanager = z.infer<typeof alertmanagerSchema>;

export const silencesSchema = component('Silences', 'Silences by Alertmanager.', {
  alertmanagers: list('That of the bridge, Grafana, and the Alertmanagers among its data sources.', alertmanagerSchema),
  silences: list(
    `Those with the states asked for; at most ${LIMITS.silences.value} of each Alertmanager.`,
    silenceSchema
  ),
  reason: string('Why those of Grafana are missing: no service account is configured.').optional(),
});
export type Silences = z.infer<typeof silencesSchema>;

/** An id of Grafana or of an Alertmanager, which becomes a segment of a path. */
const foreignId = z
  .string()
  .min(1)
  .max(100)
  .refine((id) => isStorable(id) && id !== '.' && id !== '..', { error: `${STORABLE_TEXT}, and neither . nor ..` });
const alertmanager = foreignId.describe('`grafana`, `nodebell` for that of the bridge, or the uid of a data source.');
const matchers = list('All of them must match.', matcherSchema, {
  examples: [[{ name: 'instance', value: 'node1', isRegex: false, isEqual: true }]],
})
  .min(1)
  .max(LIMITS.matchers.value);
const silence = foreignId.describe('Its id.');

export const silencePreviewSchema = strictComponent('SilencePreview', 'Matchers of a silence.', {
  alertmanager,
  matchers,
});

export const coveredSchema = component('Covered', 'Alerts that a silence would cover.', {
  alerts: integer('Number of alerts that fire now and match, silenced ones included.'),
});

const until = z.iso
  .datetime({ offset: true })
  .describe(`When it ends: in at most ${LIMITS.silenceDays.value} days.`)
  .meta({ examples: ['2026-11-23T08:00:00+01:00'] });
const comment = text(LIMITS.commentBytes.value)
  .refine((one) => one.trim() !== '', { error: 'text with at least one visible character' })
  .describe('Why.')
  .meta({ examples: ['The disk is being replaced.'], minLength: 1 });

export const silenceBodySchema = strictComponent(
  'SilenceRequest',
  'A silence. With `silence`, that one is changed, or replaced if its matchers differ.',
  { alertmanager, matchers, until, comment, silence: silence.optional() }
);
export type SilenceBody = z.infer<typeof silenceBodySchema>;

export const silencedBodySchema = strictComponent(
  'SilencedRequest',
  "An action in Grafana with the person's own permissions.",
  {
    alertmanager,
    silence,
    until: until.nullable().describe('When it ends; null: it was ended.'),
    comment: comment.optional(),
    matchers: matchers.optional(),
  }
);
export type SilencedBody = z.infer<typeof silencedBodySchema>;

export const silenceQuerySchema = z.strictObject({ alertmanager });
export const silencesQuerySchema = z.strictObject({
  alertmanager: alertmanager.optional().describe('Only this one. Default: all of them.'),
  all: flag.optional().describe('Also pending ones, and expired ones that the Alertmanager still has.'),
});
/** Parameters of the path of DELETE. */
export const silenceChangeSchema = strictComponent('SilenceChange', 'Another end of a silence.', {
  alertmanager,
  until: until.nullable().describe('When it ends; null: now. An expired one is created again.'),
});

export const silencePathSchema = z.object({ silence });

/** Sends a request to Grafana's HTTP API. @returns the body. @throws if the status is not 2xx */
export type SendToGrafana = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) => Promise<unknown>;

/** Request to create or change a silence. */
export interface NewSilence extends Pick<Silence, 'by' | 'comment' | 'until' | 'matchers'> {
  /** Changes this one. */
  id?: string | undefined;
  startsAt: string;
}

const foundSilence = z.object({
  id: z.string(),
  status: z.object({ state: z.enum(SILENCE_STATES) }),
  comment: z.string().catch(''),
  createdBy: z.string().catch(''),
  startsAt: z.string(),
  endsAt: z.string(),
  matchers: z.array(
    z.object({
      name: z.string(),
      value: z.string(),
      isRegex: z.boolean().default(false),
      // Absent before Alertmanager 0.22.
      isEqual: z.boolean().default(true),
    })
  ),
});
const foundAlert = z.object({
  fingerprint: z.string(),
  labels: z.record(z.string(), z.string()),
  status: z.object({ silencedBy: z.array(z.string()).nullish() }),
});

/**
 * Silences of one Alertmanager, those that end last first. Which alerts they cover is the Alertmanager's word, by fingerprint:
 * nothing is matched here.
 * @param all also pending and expired ones
 * @throws as `send`; ZodError if the response is not of an Alertmanager
 */
export async function readSilences(send: SendToGrafana, alertmanager: string, all = false): Promise<Silence[]> {
  const found = z.array(foundSilence).parse(await send('GET', `${pathOf(alertmanager)}/silences`));
  const wanted = found
    .filter(({ status }) => all || status.state === 'active')
    .sort((a, b) => Date.parse(b.endsAt) - Date.parse(a.endsAt))
    .slice(0, LIMITS.silences.value);
  if (wanted.length === 0) {
    return [];
  }
  const suppressed = `${pathOf(alertmanager)}/alerts?active=false&silenced=true&inhibited=false&unprocessed=false`;
  const alerts = z.array(foundAlert).parse(await send('GET', suppressed));
  const covered = new Map<string, Silence['alerts']>(wanted.map(({ id }) => [id, []]));
  for (const { fingerprint, labels, status } of alerts) {
    const dnpName = labels.dnpName ?? labels.package;
    const thread = { correlationId: labels.correlationId ?? fingerprint, ...(dnpName !== undefined && { dnpName }) };
    status.silencedBy?.forEach((id) => covered.get(id)?.push(thread));
  }
  return wanted.map(({ id, createdBy, comment, startsAt, endsAt, matchers, status }) => ({
    id,
    alertmanager,
    by: createdBy,
    comment,
    startsAt: new Date(startsAt).toISOString(),
    until: new Date(endsAt).toISOString(),
    matchers,
    alerts: covered.get(id) ?? [],
    state: status.state,
  }));
}

/** Counts the firing alerts that match now. @throws as {@link readSilences} */
export async function countCovered(
  send: SendToGrafana,
  alertmanager: string,
  matchers: readonly Matcher[]
): Promise<number> {
  const filter = matchers.map((matcher) => `filter=${urlValue(formatMatcher(matcher))}`).join('&');
  return z.array(z.unknown()).parse(await send('GET', `${pathOf(alertmanager)}/alerts?${filter}`)).length;
}

/** @returns the id of the silence, which is another one if its matchers were changed. @throws as {@link readSilences} */
export async function saveSilence(
  send: SendToGrafana,
  alertmanager: string,
  { id, startsAt, until, by, comment, matchers }: NewSilence
): Promise<string> {
  const body = { ...(id !== undefined && { id }), matchers, startsAt, endsAt: until, createdBy: by, comment };
  const saved = await send('POST', `${pathOf(alertmanager)}/silences`, body);
  return z.object({ silenceID: z.string() }).parse(saved).silenceID;
}

/**
 * Changes the end of a silence; one that has expired is created again.
 * @param until ISO 8601; null: it ends now
 * @param now ISO 8601
 * @returns its id
 * @throws as {@link readSilences}
 */
export async function changeEnd(
  send: SendToGrafana,
  { id, alertmanager, state, startsAt, ...known }: Silence,
  until: string | null,
  now: string
): Promise<string> {
  if (until === null) {
    await endSilence(send, alertmanager, id);
    return id;
  }
  const { by, comment, matchers } = known;
  const period = state === 'expired' ? { startsAt: now } : { id, startsAt };
  return saveSilence(send, alertmanager, { ...period, until, by, comment, matchers });
}

/** @throws as `send` */
export async function endSilence(send: SendToGrafana, alertmanager: string, id: string): Promise<void> {
  await send('DELETE', `${pathOf(alertmanager)}/silence/${urlSegment(id)}`);
}

/** Alerts of an Alertmanager that fire, silenced and inhibited ones included. */
export interface FiringAlerts {
  /** `source` of their notifications. */
  source: Notification['source'];
  /** See SilenceBody.alertmanager. */
  id: string;
  name: string;
  /** `correlationId` of their threads. */
  keys: ReadonlySet<string>;
}

/** @throws as {@link readSilences} */
export async function readFiring(send: SendToGrafana, { id, name }: Alertmanager): Promise<FiringAlerts> {
  const alerts = z.array(foundAlert).parse(await send('GET', `${pathOf(id)}/alerts`));
  const keys = new Set(alerts.map(({ labels, fingerprint }) => labels.correlationId ?? fingerprint));
  return { source: sourceOf(id), id, name, keys };
}

const pathOf = (alertmanager: string): string => `/api/alertmanager/${urlSegment(alertmanager)}/api/v2`;

/** Matchers of exactly this alert. */
export function matchersOf({ labels, ruleUid }: { labels: Record<string, string>; ruleUid?: string }): Matcher[] {
  const all = { ...(ruleUid !== undefined && { [RULE_LABEL]: ruleUid }), ...labels };
  return Object.entries(all).map(([name, value]) => ({ name, value, isRegex: false, isEqual: true }));
}

/** Matchers that cover all alerts of the rule. */
export const matchersOfRule = (matchers: readonly Matcher[]): Matcher[] =>
  matchers.filter(({ name }) => name === RULE_LABEL || name === 'alertname');

const sourceOf = (alertmanager: string): Notification['source'] =>
  alertmanager === GRAFANA ? 'grafana' : 'alertmanager';

/** Whether an alert of this Alertmanager can be a notification of this source. */
export const isOfAlertmanager = (source: string, alertmanager: string): boolean => source === sourceOf(alertmanager);

/** Whether it is the bridge's own Alertmanager if, and only if, the alert came to the bridge: webhooks name their Alertmanager. */
export const receivedBy = (alert: SourceAlert | undefined, alertmanager: string): boolean =>
  alertmanager === GRAFANA || (alert?.alertmanagerUrl === undefined) === (alertmanager === NODEBELL);

/** Silences of a notification's thread, the one that ends last first. */
export function silencesOf(
  silences: readonly Silence[],
  { source, correlationId, dnpName }: Pick<Notification, 'source' | 'correlationId' | 'dnpName'>
): Silence[] {
  return silences.filter(
    ({ alertmanager, alerts }) =>
      isOfAlertmanager(source, alertmanager) &&
      alerts.some((one) => one.correlationId === correlationId && (one.dnpName ?? dnpName) === dnpName)
  );
}
