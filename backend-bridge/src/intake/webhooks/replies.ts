/** Responses of other programs' APIs. */
import type { z } from 'zod';
import type { gotifyReplySchema, ntfyMessageSchema, pagerDutyReplySchema } from '../../../contract/foreignBodies.ts';
import { gotifyPriority } from './fromGotify.ts';
import type { Stored } from './dialect.ts';

/** The notification of a request that makes one, and its id. */
function single({ group, received }: Stored) {
  const { payload, extra = {} } = group.alerts[0]!.incoming;
  return { payload, extra, id: received[0]!.id };
}

export function pagerDutyReply({ group }: Stored): { status: number; body: z.input<typeof pagerDutyReplySchema> } {
  const { correlationId = '' } = (group.alerts[0]?.incoming ?? group.acknowledges)!.payload;
  return { status: 202, body: { status: 'success', message: 'Event processed', dedup_key: correlationId } };
}

/** A message of ntfy, with the members that were sent. */
export function ntfyReply(stored: Stored): { body: z.input<typeof ntfyMessageSchema> } {
  const { payload, extra, id } = single(stored);
  const { topic, title, priority, tags, click } = extra as {
    topic: string;
    title?: string;
    priority: number;
    tags?: string[];
    click?: string;
  };
  return {
    body: {
      id: String(id),
      time: Math.floor(stored.receivedAt / 1000),
      event: 'message',
      topic,
      ...(title && { title }),
      message: payload.body,
      ...(priority !== 3 && { priority }),
      ...(tags && { tags }),
      ...(click && { click }),
    },
  };
}

export function gotifyReply(stored: Stored): { body: z.input<typeof gotifyReplySchema> } {
  const { payload, extra, id } = single(stored);
  return {
    body: {
      id,
      appid: 0,
      message: payload.body,
      title: payload.title,
      priority: gotifyPriority(extra.priority as number),
      date: new Date(stored.receivedAt).toISOString(),
    },
  };
}
