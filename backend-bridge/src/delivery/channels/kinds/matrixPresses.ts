/**
 * Reactions to messages of the bridge, by long polling: no open port is needed. The homeserver keeps the position, as data of the account
 * in the room; a reaction that comes again has the same id. The tokens are in the message, as in that of any button.
 * Source: Matrix client-server API, "Syncing", "Filtering", "Event annotations and reactions", "Room account data" (client config),
 * "Aggregations of child events", "Server-side aggregation of m.replace".
 */
import { z } from 'zod';
import { MESSAGE_ACTIONS } from '../../../../contract/messageAction.ts';
import type { ChannelSettings, Network, Press, Presses } from './channel.ts';
import { answered, jsonOf, jsonSender } from './http.ts';
import { POLL_MS, PollError, polling } from './listening.ts';
import { matrixError, matrixUrl } from './matrixApi.ts';
import { REACTIONS, TOKENS } from './matrixReactions.ts';

/** Type of data of the account. */
const POSITION = 'nodebell.presses';
/** Status codes that concern the account or the server. Any other 4xx is of an event or a member that is gone, hidden or invalid. */
const REJECTED = new Set([401, 408, 429]);
const isAbsent = (status: number): boolean => status >= 400 && status < 500 && !REJECTED.has(status);
const MAX_REACTIONS = 25;
/** Pages of reactions since the last ones, at most. */
const MAX_PAGES = 40;
/** Events have at most 64 KiB, and members that the homeserver adds. */
const MAX_BYTES = 8 * 1024 * 1024;

const reactionSchema = z.looseObject({
  event_id: z.string(),
  sender: z.string(),
  type: z.literal('m.reaction'),
  content: z.looseObject({
    'm.relates_to': z.looseObject({
      rel_type: z.literal('m.annotation'),
      // The homeserver does not validate it.
      event_id: z.string().regex(/^\$[\x21-\x7e]{1,254}$/),
      key: z.string().max(100),
    }),
  }),
});
const roomSchema = z.looseObject({
  timeline: z.looseObject({
    events: z.array(z.unknown()),
    limited: z.boolean().optional(),
    prev_batch: z.string().optional(),
  }),
});
const pageSchema = z.looseObject({ chunk: z.array(z.unknown()), end: z.string().optional() });
const syncSchema = z.looseObject({
  next_batch: z.string(),
  rooms: z.looseObject({ join: z.record(z.string(), roomSchema).optional() }).optional(),
});
const contentSchema = z.looseObject({ [TOKENS]: z.record(z.string(), z.string()) });
const editSchema = z.looseObject({
  'm.relations': z.looseObject({
    'm.replace': z.looseObject({ content: z.looseObject({ 'm.new_content': z.unknown() }) }),
  }),
});
const messageSchema = z.looseObject({
  sender: z.string(),
  content: z.unknown().optional(),
  unsigned: z.unknown().optional(),
});
const pauseSchema = z.looseObject({ retry_after_ms: z.number().optional() });
const positionSchema = z.looseObject({ since: z.string() });
const memberSchema = z.looseObject({ membership: z.literal('join'), displayname: z.string().nullish() });

type Room = Required<Pick<ChannelSettings, 'name' | 'url' | 'token' | 'roomId'>>;
type Reaction = z.output<typeof reactionSchema>;
/** @returns undefined: there is nothing, or nothing that the account may see @throws Error with a sentence without secrets */
type Call = (path: string[], body?: object, query?: Record<string, string>) => Promise<unknown>;

/** Listens to a room. The account joins it, and its presses are those of this room only. */
export function listenToRoom({ name, url, token, roomId }: Room, network: Network): Presses['listen'] {
  const sendJson = jsonSender(url, name, network, MAX_BYTES);
  const headers = { authorization: `Bearer ${token}` };
  const callUntil =
    (signal: AbortSignal): Call =>
    async (path, body, query = {}) => {
      const method = body === undefined ? 'GET' : path[0] === 'join' ? 'POST' : 'PUT';
      const target = `${matrixUrl(url, path)}?${new URLSearchParams(query).toString()}`;
      const answer = await answered(sendJson(target, body, { method, headers, signal }), network);
      if (answer.status >= 300 && !(method === 'GET' && isAbsent(answer.status) && path.length > 2)) {
        const { retry_after_ms: afterMs } = pauseSchema.safeParse(jsonOf(answer)).data ?? {};
        throw new PollError(answer, matrixError(answer, token), network.now(), afterMs);
      }
      return answer.status < 300 ? jsonOf(answer) : undefined;
    };
  return polling(() => {
    let room: { id: string; me: string; since: string | undefined } | undefined;
    return async (on, signal, each) => {
      const call = callUntil(signal);
      room ??= await enter(call, roomId);
      const { id, me, since } = room;
      const data = ['user', me, 'rooms', id, 'account_data', POSITION];
      const known = since ?? positionSchema.safeParse(await call(data)).data?.since;
      const { given, next_batch: next, rooms } = await syncFrom(known, room, call);
      // Without a position, only what comes from now on.
      const timeline = given === undefined ? undefined : rooms?.join?.[id]?.timeline;
      const events = timeline
        ? [...(await earlier(timeline, { id, me, since: given! }, call)), ...timeline.events]
        : [];
      const reactions = events.flatMap((event) => reactionSchema.safeParse(event).data ?? []);
      await each(
        reactions,
        ({ event_id: event }) => event,
        async (reaction) => {
          const press = await pressOf(reaction, { id, me, roomId }, call);
          if (press) {
            await on(press);
          }
        }
      );
      if (given === undefined || events.length > 0) {
        await call(data, { since: next });
      }
      room.since = next;
      return events.length > 0;
    };
  });
}

/** @returns also the position from which it has read; undefined: none, or one that the homeserver rejects */
async function syncFrom(since: string | undefined, { id, me }: { id: string; me: string }, call: Call) {
  try {
    return { given: since, ...syncSchema.parse(await call(['sync'], undefined, queryOf(id, me, since))) };
  } catch (error) {
    if (since !== undefined && error instanceof PollError && error.status === 400) {
      return { given: undefined, ...syncSchema.parse(await call(['sync'], undefined, queryOf(id, me, undefined))) };
    }
    throw error;
  }
}

/** Reactions between the position and those of a response that has only the last ones, in their order. */
async function earlier(
  { limited, prev_batch: before }: z.output<typeof roomSchema>['timeline'],
  { id, me, since }: { id: string; me: string; since: string },
  call: Call
): Promise<unknown[]> {
  const found: unknown[] = [];
  let from = limited === true ? before : undefined;
  for (let pages = 0; from !== undefined && pages < MAX_PAGES; pages += 1) {
    const query = { dir: 'b', from, to: since, limit: String(MAX_REACTIONS), filter: JSON.stringify(reactionsOf(me)) };
    const page = pageSchema.safeParse(await call(['rooms', id, 'messages'], undefined, query)).data;
    found.unshift(...(page?.chunk ?? []).toReversed());
    from = page && page.chunk.length > 0 ? page.end : undefined;
  }
  return found;
}

const reactionsOf = (me: string) => ({ types: ['m.reaction'], not_senders: [me], limit: MAX_REACTIONS });

async function enter(call: Call, roomId: string): Promise<{ id: string; me: string; since: undefined }> {
  const { user_id: me } = z.looseObject({ user_id: z.string() }).parse(await call(['account', 'whoami']));
  const { room_id: id } = z.looseObject({ room_id: z.string() }).parse(await call(['join', roomId], {}));
  return { id, me, since: undefined };
}

const queryOf = (room: string, me: string, since: string | undefined): Record<string, string> => {
  const none = { types: [] };
  const of = { rooms: [room], timeline: reactionsOf(me), state: none, ephemeral: none, account_data: none };
  return {
    filter: JSON.stringify({ room: of, presence: none, account_data: none }),
    set_presence: 'offline',
    ...(since !== undefined && { since, timeout: String(POLL_MS) }),
  };
};

/** @returns undefined: it is no press of a button that is offered now, by somebody who is in the room */
async function pressOf(
  { event_id: press, sender, content: { 'm.relates_to': to } }: Reaction,
  { id, me, roomId }: { id: string; me: string; roomId: string },
  call: Call
): Promise<Press | undefined> {
  // Some clients add a variation selector.
  const key = to.key.replaceAll('\uFE0F', '');
  const action = sender === me ? undefined : MESSAGE_ACTIONS.find((one) => REACTIONS[one] === key);
  const message = action && messageOf(await call(['rooms', id, 'event', to.event_id]));
  const token = message?.sender === me ? message.tokens?.[action!] : undefined;
  const member =
    token === undefined
      ? undefined
      : memberSchema.safeParse(await call(['rooms', id, 'state', 'm.room.member', sender])).data;
  if (token === undefined || member === undefined) {
    return undefined;
  }
  // A name is freely chosen.
  const who = member.displayname ? `${member.displayname} (${sender})` : sender;
  return { token, id: press, who, chats: [roomId] };
}

/** As it is shown: edits are those of its sender, by the homeserver. */
function messageOf(event: unknown) {
  const { sender, content, unsigned } = messageSchema.safeParse(event).data ?? {};
  const edit = editSchema.safeParse(unsigned).data?.['m.relations']['m.replace'].content['m.new_content'];
  return { sender, tokens: contentSchema.safeParse(edit ?? content).data?.[TOKENS] };
}
