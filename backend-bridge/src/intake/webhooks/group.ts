/** A webhook body of Grafana or Alertmanager (payload version 4): validated, and read into notifications in the order to store them. */
import type { z } from 'zod';
import { alertmanagerWebhookSchema } from '../../../contract/alertmanagerWebhook.ts';
import { type GrafanaWebhook, grafanaWebhookSchema } from '../../../contract/grafanaWebhook.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { OWN_PACKAGE } from '../../../contract/notification.ts';
import type { ProblemError } from '../../../contract/problem.ts';
import { toProblemErrors } from '../../../contract/problem.ts';
import { isObject, show, toPointer } from '../../../contract/text.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import { eachOf, type Steps } from '../../platform/runtime/steps.ts';
import type { Incoming } from '../../inbox/notifications/receive.ts';
import { type AlertContext, readAlert, sortedBy } from './fromAlert.ts';
import { cleanJson, firstSafeLink, type ReadAlert, type ReadGroup, type Reading, shortHash, textOf } from './text.ts';

const MAX_ALERTS = LIMITS.webhookAlerts.value;

/** @throws HttpProblem 413 before the alerts are validated */
export function withinLimit(raw: unknown): unknown {
  const { alerts } = (raw ?? {}) as { alerts?: unknown };
  if (Array.isArray(alerts) && alerts.length > MAX_ALERTS) {
    throw new HttpProblem(
      'too-large',
      `Found ${alerts.length} alerts, allowed are ${MAX_ALERTS} in one webhook. Nothing was stored. Set max_alerts, or group by more labels.`
    );
  }
  return raw;
}

/** @param raw the parsed body */
export function* fromGrafana(raw: unknown): Steps<Reading<ReadGroup>> {
  const { value, notes } = cleanJson(raw);
  const alerts = typeof value === 'object' && value !== null ? (value as { alerts?: unknown }).alerts : undefined;
  if (!Array.isArray(alerts)) {
    return { ok: false, errors: [customPayload(alerts)] };
  }
  const group = yield* validateGroup(grafanaWebhookSchema, value);
  return group.ok ? { ok: true, value: yield* readGroup(group.value, 'grafana', notes) } : group;
}

/** A custom payload of the contact point replaces the whole body. */
function customPayload(found: unknown): ProblemError {
  return {
    pointer: '/alerts',
    found: show(found),
    allowed: "the list of alerts of Grafana's own webhook body",
    detail:
      'This is not the default webhook body of Grafana. Remove the custom payload (template) from the contact point; to send a text of your own, post it to /api/v1/notifications.',
  };
}

/** @param raw the parsed body */
export function* fromAlertmanager(raw: unknown): Steps<Reading<ReadGroup>> {
  const { value, notes } = cleanJson(raw);
  const group = yield* validateGroup(alertmanagerWebhookSchema, value);
  return group.ok ? { ok: true, value: yield* readGroup(group.value, 'alertmanager', notes) } : group;
}

type GroupSchema = z.ZodObject<{ alerts: z.ZodArray<z.ZodType> }>;

/**
 * Validates one alert after another: a body of a hundred thousand invalid alerts must not create an issue for each member of each
 * of them before the first is reported.
 * @param schema of the group, with its alerts
 * @param value any parsed JSON value
 * @returns the parsed value, or at most `LIMITS.countedErrors` errors
 */
function* validateGroup<T extends GroupSchema>(schema: T, value: unknown): Steps<Reading<z.output<T>>> {
  const given = isObject(value) && Array.isArray(value.alerts) ? (value.alerts as unknown[]) : [];
  const group = validateOne(schema, given.length === 0 ? value : { ...(value as object), alerts: [] }, []);
  const errors = group.ok ? [] : group.errors;
  const alerts: unknown[] = [];
  for (const [index, alert] of given.entries()) {
    if (errors.length >= LIMITS.countedErrors.value) {
      break;
    }
    const result = validateOne(schema.shape.alerts.element, alert, ['alerts', index]);
    if (result.ok) {
      alerts.push(result.value);
    } else {
      errors.push(...result.errors);
    }
    yield;
  }
  return errors.length === 0 && group.ok ? { ok: true, value: { ...group.value, alerts } } : { ok: false, errors };
}

function validateOne<T extends z.ZodType>(
  schema: T,
  value: unknown,
  path: readonly PropertyKey[]
): Reading<z.output<T>> {
  const oversized = oversizedMaps(value, path);
  if (oversized.length > 0) {
    return { ok: false, errors: oversized };
  }
  const result = schema.safeParse(value);
  return result.success ? { ok: true, value: result.data } : { ok: false, errors: errorsAt(path, result.error, value) };
}

function errorsAt(path: readonly PropertyKey[], error: z.ZodError, value: unknown): ProblemError[] {
  return toProblemErrors(error, value, {
    pointer: (rest) => toPointer([...path, ...rest]),
    name: (rest) => [...path, ...rest].map(String).join('.'),
  });
}

const MAPS = ['labels', 'annotations', 'groupLabels', 'commonLabels', 'commonAnnotations'];

/** Before the schema sees them: it would create an issue for each of their values. */
function oversizedMaps(holder: unknown, path: readonly PropertyKey[]): ProblemError[] {
  if (!isObject(holder)) {
    return [];
  }
  return MAPS.flatMap((name) => {
    const map = holder[name];
    const count = isObject(map) ? Object.keys(map).length : 0;
    if (count <= LIMITS.alertLabels.value) {
      return [];
    }
    const allowed = `at most ${LIMITS.alertLabels.value} members`;
    const where = [...path, name];
    const detail = `"${where.join('.')}" must have ${allowed}; found ${count}.`;
    return [{ pointer: toPointer(where), found: `${count} members`, allowed, detail }];
  });
}

/** @param notes more are added */
function* readGroup(body: GrafanaWebhook, source: AlertContext['source'], notes: string[]): Steps<ReadGroup> {
  const context = {
    source,
    receiver: textOf(body.receiver),
    groupKey: textOf(body.groupKey),
    externalURL: textOf(body.externalURL),
  };
  const alerts = inOrder(yield* eachOf(body.alerts, (alert) => readAlert(alert, context, notes)));
  const truncated = body.truncatedAlerts ?? 0;
  const notices = [
    ...stillFiring(alerts),
    ...(truncated > 0 ? [truncationNotice(body, truncated, alerts, context, notes)] : []),
  ];
  return { alerts, notices, truncated, notes };
}

/**
 * Resolved before firing: a thread's state is that of its newest member, so a thread that several alerts share by their
 * `correlationId` stays open while one of them fires. Only a firing alert whose own end is in the same body comes first.
 */
function inOrder(alerts: ReadAlert[]): ReadAlert[] {
  const ended = new Set(alerts.filter(({ status }) => status === 'resolved').map(spellOf));
  const turn = (alert: ReadAlert) => (alert.status === 'resolved' ? 1 : ended.has(spellOf(alert)) ? 0 : 2);
  return alerts.toSorted((a, b) => turn(a) - turn(b));
}

function spellOf({ fingerprint, startsAt }: ReadAlert): string {
  return `${fingerprint}|${startsAt ?? ''}`;
}

function threadOf({ payload }: Incoming): string {
  return JSON.stringify([payload.dnpName, payload.correlationId]);
}

/**
 * Several alerts share a thread, one resolves and another still fires: the resolve would close the thread, and the other, being
 * stored already, would not reopen it. So the other is sent once more, once per resolve. Covers alerts of the same body only;
 * alerts that share a thread belong into one group (`group_by`).
 */
function stillFiring(alerts: ReadAlert[]): Incoming[] {
  const threads = Map.groupBy(alerts, ({ incoming }) => threadOf(incoming));
  return [...threads.values()].flatMap((members) => {
    const resolved = members.filter(({ status }) => status === 'resolved');
    const spells = new Set(resolved.map(spellOf));
    const firing = members.findLast((member) => member.status === 'firing' && !spells.has(spellOf(member)));
    const once = firing?.incoming.once;
    if (!firing || !once || resolved.length === 0) {
      return [];
    }
    const ends = shortHash([...spells].sort().join('\n'));
    const { payload } = firing.incoming;
    const body = `Still firing; another alert of this thread has resolved.\n\n${payload.body}`;
    return [
      {
        ...firing.incoming,
        payload: { ...payload, body },
        once: { scope: once.scope, key: `${once.key}|after ${ends}` },
      },
    ];
  });
}

const TRUNCATED_BY = {
  grafana: {
    name: 'Grafana',
    setting:
      'The webhook contact point has a limit, "Max alerts" (`maxAlerts` in files): raise it, or set it to 0 for no limit.',
  },
  alertmanager: {
    name: 'Alertmanager',
    setting: 'The receiver has a limit, `max_alerts` of its `webhook_configs`: raise it, or set it to 0 for no limit.',
  },
} as const;

/**
 * Alerts that a monitor left out of its body are lost unless a notification reports them (grafana/alerting#405). It has no status, since
 * its end is unknown, and never counts as open. The same body is reported once.
 */
function truncationNotice(
  body: GrafanaWebhook,
  count: number,
  alerts: ReadAlert[],
  { source, receiver, groupKey = '' }: AlertContext,
  notes: string[]
): Incoming {
  const { name, setting } = TRUNCATED_BY[source];
  const link = firstSafeLink([[`Open ${name}`, body.externalURL]], notes);
  const spells = alerts.map(({ fingerprint, startsAt, status }) => `${fingerprint}|${startsAt ?? ''}|${status}`).sort();
  const were = count === 1 ? '1 alert was' : `${count} alerts were`;
  const arrived = alerts.length === 1 ? '1 alert arrived' : `${alerts.length} alerts arrived`;
  return {
    payload: {
      // The name of the bridge, which receivers often have, is reserved.
      dnpName: receiver === undefined || receiver === OWN_PACKAGE ? source : receiver,
      ...sortedBy(body.commonLabels ?? {}),
      title: `${were} left out by ${name}`,
      body: `${arrived} with this body; ${were} left out and cannot be shown here.\n\n${setting}`,
      priority: 'high',
      correlationId: `truncated-${shortHash(groupKey)}`,
      isBanner: false,
      ...(link && { callToAction: link }),
    },
    extra: { receiver, groupKey: textOf(groupKey), truncatedAlerts: count },
    source,
    once: { scope: source, key: `truncated|${shortHash(JSON.stringify([groupKey, count, spells]))}` },
  };
}
