/** Messages as they are published to ntfy. Source: ntfy documentation, "Publishing", "List of all parameters". */
import { type NtfyPublish, ntfyPublishSchema } from '../../../contract/foreignBodies.ts';
import type { Priority } from '../../../contract/notification.ts';
import type { Steps } from '../../platform/runtime/steps.ts';
import { groupOf, type Parts, type Posted, readAs } from './dialect.ts';
import { decodeWords } from './encodedWords.ts';
import type { ReadGroup, Reading } from './text.ts';

/** Names of each parameter, as header with or without `X-`, or in the query. */
const NAMES = {
  message: ['message', 'm'],
  title: ['title', 't', 'ti'],
  priority: ['priority', 'prio', 'p'],
  tags: ['tags', 'tag', 'ta'],
  click: ['click'],
  icon: ['icon'],
  sequence_id: ['sequence-id', 'sid'],
  filename: ['filename', 'file', 'f'],
} as const;

const PRIORITIES: Record<string, number> = { min: 1, low: 2, default: 3, high: 4, max: 5, urgent: 5 };
const PRIORITY_OF: Record<number, Priority> = { 1: 'low', 2: 'low', 3: 'medium', 4: 'high', 5: 'critical' };

/** A message to a topic in the path: the body is its text, or a file, which is not kept. */
export function* fromNtfyTopic(posted: Posted): Steps<Reading<ReadGroup>> {
  const {
    tags,
    message: line,
    filename,
    ...given
  } = Object.fromEntries(Object.keys(NAMES).map((name) => [name, parameter(posted, name as keyof typeof NAMES)]));
  // As ntfy: a header has no line breaks.
  const message = line?.replaceAll(String.raw`\n`, '\n');
  // ntfy says this of a file without a message.
  const text = filename === undefined ? posted.text || message : message || `You received a file: ${filename}`;
  const notes: string[] = [];
  const read = readAs(
    ntfyPublishSchema,
    { ...given, topic: posted.params.topic, tags: tags?.split(','), message: text },
    notes
  );
  return read.ok ? { ok: true, value: groupOf(ofMessage(read.value), notes) } : read;
}

export function ofMessage({ topic, message, title, tags, priority, click, icon, sequence_id }: NtfyPublish): Parts {
  return {
    title,
    // As ntfy: a message without text says that it was triggered.
    body: message?.trim() ? message : 'triggered',
    priority: PRIORITY_OF[priorityOf(priority)]!,
    // A message is an event: it neither fires nor resolves.
    correlationId: sequence_id ? `ntfy-${topic}-${sequence_id}` : undefined,
    labels: { topic, tags: tags?.map((tag) => tag.trim()).join(',') },
    links: [['Open', click]],
    icon,
    extra: { topic, title, priority: priorityOf(priority), tags, click },
  };
}

/** From 1 to 5; 3 if it is none. */
function priorityOf(given: NtfyPublish['priority']): number {
  const number =
    PRIORITIES[
      String(given ?? '')
        .trim()
        .toLowerCase()
    ] ?? Number(given ?? 3);
  return Number.isInteger(number) && number >= 1 && number <= 5 ? number : 3;
}

function parameter({ header, query }: Posted, name: keyof typeof NAMES): string | undefined {
  for (const one of NAMES[name]) {
    const given = header(`x-${one}`) ?? header(one);
    if (given !== undefined) {
      return decodeWords(Buffer.from(given, 'latin1').toString('utf8'));
    }
  }
  return NAMES[name].map((one) => query.get(one)).find((one) => one !== null);
}
