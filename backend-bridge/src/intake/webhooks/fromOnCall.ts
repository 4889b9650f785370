/** Adapter of Grafana OnCall: the payloads that its integrations accepted, by the type in their URL. */
import {
  type LegacyGrafana,
  legacyGrafanaSchema,
  type OnCallWebhook,
  onCallWebhookSchema,
} from '../../../contract/foreignBodies.ts';
import { ONCALL_TYPES } from '../../../contract/foreignApis.ts';
import { isObject, show } from '../../../contract/text.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import type { Steps } from '../../platform/runtime/steps.ts';
import { groupOf, type Parts, parseText, type Posted, readAs } from './dialect.ts';
import { fromAlertmanager, fromGrafana, withinLimit } from './group.ts';
import { codeSpan, jsonBlock, type ReadGroup, type Reading, shortHash, textOf } from './text.ts';

type OnCallType = (typeof ONCALL_TYPES)[number];
type Read = (raw: unknown) => Steps<Reading<ReadGroup>>;

/** Older Grafana sends alerts in groups as well, and before version 9 one rule. */
const fromAnyGrafana: Read = (raw) =>
  isObject(raw) && 'alerts' in raw ? fromGrafana(raw) : one(raw, legacyGrafanaSchema, ofLegacyGrafana);

const fromWebhook: Read = (raw) => one(raw, onCallWebhookSchema, ofWebhook);

const READ: Record<OnCallType, Read> = {
  // Closures, so that the module is loaded when it is first used.
  grafana_alerting: (raw) => fromGrafana(raw),
  grafana: fromAnyGrafana,
  alertmanager: (raw) => fromAlertmanager(raw),
  webhook: fromWebhook,
  formatted_webhook: fromWebhook,
};

/** @throws HttpProblem 404 */
export function onCallType(given: string | undefined): OnCallType {
  const type = ONCALL_TYPES.find((one) => one === given);
  if (type === undefined) {
    throw new HttpProblem(
      'not-found',
      `Grafana OnCall's integrations of this type are not supported; supported: ${ONCALL_TYPES.join(', ')}.`
    );
  }
  return type;
}

export function* fromOnCall({ params, text }: Posted): Steps<Reading<ReadGroup>> {
  const read = READ[onCallType(params.type)];
  return yield* read(withinLimit(parseText(text)));
}

function* one<S extends typeof onCallWebhookSchema | typeof legacyGrafanaSchema>(
  raw: unknown,
  schema: S,
  toParts: (body: ReturnType<S['parse']>) => Parts
): Steps<Reading<ReadGroup>> {
  const notes: string[] = [];
  const read = readAs(schema, raw, notes);
  return read.ok ? { ok: true, value: groupOf(toParts(read.value as ReturnType<S['parse']>), notes) } : read;
}

/** Without an `alert_uid`, equal bodies are one thread, as in OnCall; the state is not compared. */
function ofWebhook(body: OnCallWebhook): Parts {
  const { alert_uid, title, message, state, image_url, link_to_upstream_details, ...extra } = body;
  const uid = textOf(alert_uid === null || alert_uid === undefined ? undefined : String(alert_uid));
  const shown = Object.keys(extra).length > 0 ? jsonBlock(extra) : '';
  return {
    title: textOf(title) ?? (textOf(message) === undefined ? 'Incident' : undefined),
    body: withImage(textOf(message) ?? shown, image_url),
    priority: 'high',
    status: isOk(state) ? 'resolved' : 'triggered',
    correlationId: uid ?? `oncall-${shortHash(JSON.stringify([title, message, extra]))}`,
    links: [
      ['Open', link_to_upstream_details],
      ['Open', typeof extra.url === 'string' ? extra.url : undefined],
    ],
    extra: body,
  };
}

function ofLegacyGrafana(body: LegacyGrafana): Parts {
  const { title, ruleName, ruleId, ruleUrl, state, message, imageUrl, evalMatches } = body;
  const values = (evalMatches ?? []).map(({ metric, value }) =>
    codeSpan(`${metric ?? ''}: ${show(value ?? undefined)}`)
  );
  return {
    title: textOf(ruleName) ?? textOf(title) ?? 'An alert of Grafana without a name',
    body: withImage([textOf(message), ...values].filter((part) => part !== undefined).join('\n\n'), imageUrl),
    priority: 'high',
    status: isOk(state) ? 'resolved' : 'triggered',
    correlationId: `grafana-${ruleId ?? shortHash(textOf(ruleName) ?? textOf(title) ?? '')}`,
    links: [['Open alert rule', ruleUrl]],
    extra: body,
  };
}

const isOk = (state: string | null | undefined): boolean => textOf(state)?.toLowerCase() === 'ok';

function withImage(text: string, image: string | null | undefined): string {
  const url = textOf(image);
  return url !== undefined && /^https?:\/\/[^\s<>]+$/.test(url) ? `${text}\n\nImage: <${url}>`.trim() : text;
}
