/** A homeserver on this machine, with the rules of the client-server API; its responses are those of Synapse 1.163. */
import { type Received, type Receiver, type Reply, startReceiver } from './receivers.testing.ts';

const ROOM = '!WKtVBWkPxssNhhDJCsvTLeufYuJDwX-QPxGHVerNPiA';
const BOT = '@bridge:example.org';
const MAX_EVENT = 65_536;
const TAGS = /<\/?strong>|<br>|<a href="[^"<>]*">|<\/a>/g;
const PREFIX = '/_matrix/client/v3/';

export const failed = (status: number, errcode: string, error: string, more: object = {}): Reply => ({
  status,
  body: { errcode, error, ...more },
});
const FORBIDDEN = failed(403, 'M_FORBIDDEN', 'You are not invited to this room.');
const NOT_FOUND = failed(404, 'M_NOT_FOUND', 'Event not found.');
const ok = (body: object): Reply => ({ status: 200, body });

interface Content {
  body: string;
  formatted_body?: string;
  'm.mentions': object;
  'm.new_content'?: Content;
  'm.relates_to'?: { rel_type: string; event_id: string; key?: string };
}
interface Reaction {
  event_id: string;
  sender: string;
  type: string;
  content: object;
}

export interface Homeserver extends Receiver {
  /** Contents of messages by id; undefined: removed. */
  events: Map<string, Content | undefined>;
  /** Senders of messages that the bridge did not send. */
  senders: Map<string, string>;
  /** All reactions, those of the bridge as well. */
  reactions: Reaction[];
  /** Data of the account in the room. */
  data: Map<string, object>;
  /** Display names of people in the room. */
  people: Map<string, string>;
  /** Content of a message with its newest edit. */
  shown(id: string): Content | undefined;
  /** A reaction of somebody else. */
  react(event: string, key: string, sender?: string): void;
}

const relationOf = (content: object) => (content as Partial<Content>)['m.relates_to'];
const isEscaped = ({ formatted_body: html = '', 'm.mentions': mentions }: Content): boolean =>
  !/[<>]|&(?!(?:lt|gt|amp|quot);)/.test(html.replaceAll(TAGS, '')) && Object.keys(mentions).length === 0;

/** Events of the room. */
class Room {
  readonly events: Homeserver['events'] = new Map();
  readonly senders: Homeserver['senders'] = new Map();
  readonly reactions: Reaction[] = [];
  readonly data: Homeserver['data'] = new Map();
  readonly people = new Map([['@ada:example.org', 'Ada']]);
  readonly #byTransaction = new Map<string, string>();
  #arrived = (): void => undefined;

  editOf(id: string): Content | undefined {
    return [...this.events.values()].findLast((one) => one?.['m.new_content'] && relationOf(one)?.event_id === id);
  }

  /** Waits for reactions after `since`, a number here. */
  async sync(query: URLSearchParams): Promise<Reply> {
    const { room } = JSON.parse(query.get('filter') ?? '{}') as { room?: Record<string, Record<string, unknown>> };
    const { timeline = {}, rooms } = room ?? {};
    if (JSON.stringify(timeline['types']) !== '["m.reaction"]' || JSON.stringify(rooms) !== JSON.stringify([ROOM])) {
      return failed(400, 'M_INVALID_PARAM', 'the filter is too wide');
    }
    if (!/^\d+$/.test(query.get('since') ?? '0')) {
      return failed(400, 'M_UNKNOWN', 'Invalid stream token');
    }
    const found = () =>
      this.reactions
        .slice(Number(query.get('since') ?? 0))
        .filter(({ sender }) => !(timeline['not_senders'] as string[]).includes(sender));
    if (found().length === 0 && query.has('timeout')) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
        setTimeout(resolve, Number(query.get('timeout'))).unref();
      });
    }
    const all = found();
    const events = all.slice(-Number(timeline['limit']));
    const limited = events.length < all.length;
    const prev_batch = String(this.reactions.indexOf(events[0]!));
    const join = events.length === 0 ? {} : { [ROOM]: { timeline: { events, limited, prev_batch } } };
    return ok({ next_batch: String(this.reactions.length), rooms: { join } });
  }

  /** Backwards from `from` to `to`. */
  messages(query: URLSearchParams): Reply {
    const { not_senders: others = [] } = JSON.parse(query.get('filter') ?? '{}') as { not_senders?: string[] };
    const chunk = this.reactions
      .slice(Number(query.get('to')), Number(query.get('from')))
      .toReversed()
      .filter(({ sender }) => !others.includes(sender))
      .slice(0, Number(query.get('limit')));
    return ok({ chunk, start: query.get('from'), end: String(this.reactions.indexOf(chunk.at(-1)!)) });
  }

  add(type: string, transaction: string, content: object, sender = BOT): Reply {
    if (Buffer.byteLength(JSON.stringify(content)) > MAX_EVENT) {
      return failed(413, 'M_TOO_LARGE', 'event too large');
    }
    const id = this.#byTransaction.get(transaction) ?? `$${this.#byTransaction.size + 1}`;
    this.#byTransaction.set(transaction, id);
    return type === 'm.room.message'
      ? this.#addMessage(id, content as Content)
      : this.#addReaction({ event_id: id, sender, type, content });
  }

  #addMessage(id: string, content: Content): Reply {
    if (!isEscaped(content['m.new_content'] ?? content)) {
      return failed(400, 'M_BAD_JSON', 'not escaped');
    }
    this.events.set(id, content);
    return ok({ event_id: id });
  }

  #addReaction(reaction: Reaction): Reply {
    const { event_id: event, key, rel_type: relation } = relationOf(reaction.content) ?? {};
    if (relation !== 'm.annotation' || event === undefined || !key) {
      return failed(400, 'M_BAD_JSON', 'no annotation');
    }
    const isSame = ({ sender, content }: Reaction) =>
      sender === reaction.sender && relationOf(content)?.event_id === event && relationOf(content)?.key === key;
    if (this.reactions.some(isSame)) {
      return failed(400, 'M_DUPLICATE_ANNOTATION', "Can't send same reaction twice");
    }
    this.reactions.push(reaction);
    this.#arrived();
    return ok({ event_id: reaction.event_id });
  }

  event(id: string): Reply {
    if (!id.startsWith('$')) {
      return failed(400, 'M_INVALID_PARAM', 'Invalid event ID');
    }
    const edit = this.editOf(id);
    const unsigned = edit ? { unsigned: { 'm.relations': { 'm.replace': { content: edit } } } } : {};
    const content = this.events.get(id) ?? {};
    return this.events.has(id)
      ? ok({ event_id: id, sender: this.senders.get(id) ?? BOT, type: 'm.room.message', content, ...unsigned })
      : NOT_FOUND;
  }

  member(id: string): Reply {
    return this.people.has(id) ? ok({ membership: 'join', displayname: this.people.get(id) }) : NOT_FOUND;
  }
}

type Answer = (parts: string[], request: Received, query: URLSearchParams) => Reply | Promise<Reply>;

/** By method and path, where `:` is any segment. */
const routesOf = (room: Room, alias: string): Record<string, Answer> => ({
  'POST join/:': ([wanted]) => (wanted === alias || wanted === ROOM ? ok({ room_id: ROOM }) : FORBIDDEN),
  'GET account/whoami': () => ok({ user_id: BOT }),
  'GET sync': (_, __, query) => room.sync(query),
  'GET rooms/:/messages': (_, __, query) => room.messages(query),
  'GET rooms/:/event/:': ([, id]) => room.event(id!),
  'GET rooms/:/state/m.room.member/:': ([, id]) => room.member(id!),
  'PUT rooms/:/send/:/:': ([, type, transaction], { json }) => room.add(type!, `${type} ${transaction}`, json),
  'GET user/:/rooms/:/account_data/:': ([, , type]) => (room.data.has(type!) ? ok(room.data.get(type!)!) : NOT_FOUND),
  'PUT user/:/rooms/:/account_data/:': ([, , type], { json }) => {
    room.data.set(type!, json);
    return ok({});
  },
});

/** @param token of the bridge's account @param alias of the room */
export async function startHomeserver(token: string, alias: string): Promise<Homeserver> {
  const room = new Room();
  const routes = Object.entries(routesOf(room, alias)).map(([route, answer]) => ({
    pattern: new RegExp(`^${route.replaceAll('.', String.raw`\.`).replaceAll(':', '([^/]+)')}$`),
    answer,
  }));
  const receiver = await startReceiver((request) => {
    const { method, path, headers } = request;
    const { pathname, searchParams } = new URL(path, 'http://homeserver');
    if (headers.authorization !== `Bearer ${token}`) {
      return failed(401, 'M_UNKNOWN_TOKEN', 'Invalid access token passed.');
    }
    for (const { pattern, answer } of routes) {
      const found = pattern.exec(`${method} ${pathname.replace(PREFIX, '')}`);
      if (found) {
        return answer(found.slice(1).map(decodeURIComponent), request, searchParams);
      }
    }
    return failed(404, 'M_UNRECOGNIZED', 'Unrecognized request');
  });
  const { events, senders, reactions, data, people } = room;
  return Object.assign(receiver, {
    ...{ events, senders, reactions, data, people },
    shown: (id: string) => room.editOf(id)?.['m.new_content'] ?? events.get(id),
    react(event: string, key: string, sender = '@ada:example.org') {
      const content = { 'm.relates_to': { rel_type: 'm.annotation', event_id: event, key } };
      room.add('m.reaction', `of a person ${reactions.length}`, content, sender);
    },
  });
}
