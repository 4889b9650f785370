/** CloudEvents 1.0 over HTTP: one event or a batch as JSON, or binary mode with its attributes in headers. */
import { isUtf8 } from 'node:buffer';
import { type CloudEvent, cloudEventSchema } from '../../../contract/foreignBodies.ts';
import { fitLabels } from '../../../contract/labels.ts';
import { PAYLOAD_MEMBERS } from '../../../contract/notification.ts';
import { readUsablePayload } from '../../../contract/readPayload.ts';
import { isObject } from '../../../contract/text.ts';
import { shortName } from '../../inbox/notifications/fit.ts';
import type { Steps } from '../../platform/runtime/steps.ts';
import { parseText, type Posted, readAs, readEach, withoutTimes } from './dialect.ts';
import { jsonBlock, type ReadAlert, type ReadGroup, type Reading, shortHash } from './text.ts';

export const CLOUD_EVENTS_BATCH = 'application/cloudevents-batch+json';
const JSON_TYPE = /^application\/(?:json|[^;]+\+json)/i;
const ATTRIBUTES = ['specversion', 'id', 'source', 'type', 'subject', 'time', 'dataschema'] as const;

export function* fromCloudEvents(posted: Posted): Steps<Reading<ReadGroup>> {
  const notes: string[] = [];
  const isBatch = posted.header('content-type')?.toLowerCase().startsWith(CLOUD_EVENTS_BATCH) ?? false;
  const read = yield* readEach(eventsOf(posted, isBatch), (raw) => readEvent(raw, notes), isBatch);
  return read.ok ? { ok: true, value: { alerts: read.value, notices: [], truncated: 0, notes } } : read;
}

/** @throws HttpProblem 400 */
function eventsOf(posted: Posted, isBatch: boolean): unknown[] {
  if (posted.header('ce-specversion') !== undefined) {
    return [ofHeaders(posted)];
  }
  const parsed = parseText(posted.text);
  return isBatch && Array.isArray(parsed) ? (parsed as unknown[]) : [parsed];
}

/** HTTP protocol binding, section 3.1: values are percent-encoded. */
function ofHeaders({ header, text }: Posted): Record<string, unknown> {
  const attributes = ATTRIBUTES.map((name) => [name, decoded(header(`ce-${name}`))] as const);
  return {
    ...Object.fromEntries(attributes.filter(([, value]) => value !== undefined)),
    ...(text !== '' && { data: JSON_TYPE.test(header('content-type') ?? '') ? parseText(text) : text }),
  };
}

/** JSON event format, section 3.1.1: JSON unless another type is given. What is not text stays encoded, and is not shown. */
function withDecodedData(raw: unknown): unknown {
  const { data_base64: encoded, ...event } = isObject(raw) ? raw : {};
  const bytes = typeof encoded === 'string' ? Buffer.from(encoded, 'base64') : undefined;
  if (bytes === undefined || !isUtf8(bytes)) {
    return raw;
  }
  const text = bytes.toString();
  const { datacontenttype: type = 'application/json' } = event;
  try {
    return { ...event, data: JSON_TYPE.test(String(type)) ? (JSON.parse(text) as unknown) : text };
  } catch {
    return { ...event, data: text };
  }
}

function decoded(value: string | undefined): string | undefined {
  try {
    return value && decodeURIComponent(value);
  } catch {
    return value;
  }
}

function readEvent(raw: unknown, notes: string[]): Reading<ReadAlert> {
  const read = readAs(cloudEventSchema, withDecodedData(raw), notes);
  if (!read.ok) {
    return read;
  }
  const { specversion: _version, id, source, type, subject, data, ...rest } = read.value;
  const given = payloadOf(read.value);
  const payload = readUsablePayload(given, shortName);
  if (!payload.ok) {
    return payload;
  }
  const { labels } = fitLabels({ type, source, subject, ...payload.value.payload.labels });
  return {
    ok: true,
    value: withoutTimes({
      payload: { ...payload.value.payload, labels },
      ignored: payload.value.ignored,
      extra: { id, ...rest, ...(isObject(data) && { data }) },
      source: 'webhook',
      // Source and id identify an event (section "id").
      once: { scope: 'cloudevents', key: shortHash(JSON.stringify([source, id])) },
    }),
  };
}

/** Members of a notification in `data`; without them it is the text. */
function payloadOf({ type, subject, data }: CloudEvent): Record<string, unknown> {
  const members = isObject(data) ? Object.entries(data).filter(([name]) => PAYLOAD_MEMBERS.has(name)) : [];
  const title = subject ? `${type}: ${subject}` : type;
  const isPayload = members.some(([name]) => name === 'title' || name === 'body');
  return isPayload
    ? { title, body: '', ...Object.fromEntries(members) }
    : { title, body: data === undefined || data === null ? '' : typeof data === 'string' ? data : jsonBlock(data) };
}
