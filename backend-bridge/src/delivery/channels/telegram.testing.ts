/** A Telegram Bot API on this machine. */
import { type Received, type Receiver, type Reply, startReceiver } from './receivers.testing.ts';

/** Rejections of Telegram: the descriptions of its Bot API server. */
export const TELEGRAM = {
  flood: (seconds: number): Reply => ({
    status: 429,
    body: {
      ok: false,
      error_code: 429,
      description: `Too Many Requests: retry after ${seconds}`,
      parameters: { retry_after: seconds },
    },
  }),
  blocked: { status: 403, body: { ok: false, error_code: 403, description: 'Forbidden: bot was blocked by the user' } },
  noChat: { status: 400, body: { ok: false, error_code: 400, description: 'Bad Request: chat not found' } },
  gone: { status: 400, body: { ok: false, error_code: 400, description: 'Bad Request: message to edit not found' } },
  webhook: {
    status: 409,
    body: {
      ok: false,
      error_code: 409,
      description:
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    },
  },
  unauthorized: { status: 401, body: { ok: false, error_code: 401, description: 'Unauthorized' } },
} as const;

const TAGS = /<(\/?)(b|a)(?: href="[^"<>]*")?>/g;

/** A person in the chat of a message. */
export interface Presser {
  first_name: string;
  chat?: { id: number; username?: string };
}

/** A Bot API with inline buttons. */
export interface Telegram extends Receiver {
  /** Messages by id. */
  texts: Map<number, string>;
  /** Buttons of a message: their data by text. */
  buttons: Map<number, Record<string, string>>;
  /** Updates that no request has confirmed. */
  updates: Record<string, unknown>[];
  /** Presses with this data. */
  press(data: string, from: Presser): void;
  /** Texts of answerCallbackQuery. */
  answers: string[];
}

/** `callback_data` has 1 to 64 bytes ("InlineKeyboardButton"). */
const isButton = ({ text: label, callback_data: data }: Record<string, unknown>): boolean =>
  typeof label === 'string' && label !== '' && typeof data === 'string' && /^.{1,64}$/.test(data);

type Keyboard = { inline_keyboard?: Record<string, string>[][] } | undefined;

const result = (value: unknown): Reply => ({ status: 200, body: { ok: true, result: value } });
const bad = (description: string): Reply => ({
  status: 400,
  body: { ok: false, error_code: 400, description: `Bad Request: ${description}` },
});

/** Updates of a bot, as long polling returns them. */
class Updates {
  readonly all: Telegram['updates'] = [];
  #last = 0;
  #arrived = (): void => undefined;

  /** Confirms what is before the offset; waits for an update. */
  async from({ offset = 0, timeout = 0 }: { offset?: number; timeout?: number }): Promise<Reply> {
    const left = this.all.filter(({ update_id: id }) => id === undefined || (id as number) >= offset);
    this.all.splice(0, this.all.length, ...left);
    if (this.all.length === 0 && timeout > 0) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
        setTimeout(resolve, timeout * 1000).unref();
      });
    }
    return result(this.all);
  }

  press(data: string, { first_name, chat = { id: 42 } }: Presser): void {
    this.#last += 1;
    const query = { id: `q${this.#last}`, from: { id: 7, is_bot: false, first_name }, message: { chat }, data };
    this.all.push({ update_id: this.#last, callback_query: query });
    this.#arrived();
  }
}

/** Messages of a bot, with their buttons. */
class Messages {
  readonly texts: Telegram['texts'] = new Map();
  readonly buttons: Telegram['buttons'] = new Map();

  /** `sendMessage`, or `editMessageText` of a message. */
  store(json: Received['json'], isEdit: boolean): Reply {
    const {
      text: body,
      message_id: edited,
      parse_mode: mode,
      reply_markup: markup,
    } = json as {
      text: string;
      message_id?: number;
      parse_mode?: string;
      reply_markup?: Keyboard;
    };
    const keys = (markup?.inline_keyboard ?? []).flat();
    const mistake = mistakeIn(body, mode) ?? (keys.every(isButton) ? undefined : 'BUTTON_DATA_INVALID');
    if (mistake !== undefined) {
      return bad(mistake);
    }
    const id = isEdit ? (edited ?? 0) : this.texts.size + 1;
    const shown = Object.fromEntries(keys.map((one) => [one.text!, one.callback_data!]));
    if (isEdit && !this.texts.has(id)) {
      return TELEGRAM.gone;
    }
    if (this.texts.get(id) === body && JSON.stringify(this.buttons.get(id)) === JSON.stringify(shown)) {
      return bad('message is not modified: specified new message content is exactly the same');
    }
    this.texts.set(id, body);
    this.buttons.set(id, shown);
    return result({ message_id: id });
  }
}

/** Only the entities that it knows, and no other "<", ">" or "&". */
function mistakeIn(body: string, mode: string | undefined): string | undefined {
  const plain = body.replaceAll(TAGS, '');
  if (mode !== 'HTML' || /[<>]|&(?!(?:lt|gt|amp|quot|#\d+);)/.test(plain)) {
    return "can't parse entities";
  }
  return plain.replaceAll(/&\w+;/g, 'x').length > 4096 ? 'message is too long' : undefined;
}

/** @param token of the bot */
export async function startTelegram(token: string): Promise<Telegram> {
  const updates = new Updates();
  const messages = new Messages();
  const answers: string[] = [];
  const methods: Record<string, (json: Received['json']) => Reply | Promise<Reply>> = {
    getMe: () => result({ id: 123456789, is_bot: true, first_name: 'Node', username: 'node_bot' }),
    getUpdates: (json) => updates.from(json),
    answerCallbackQuery(json) {
      answers.push(String(json.text));
      return result(true);
    },
    sendMessage: (json) => messages.store(json, false),
    editMessageText: (json) => messages.store(json, true),
  };
  const receiver = await startReceiver(({ path, json }) => {
    const [, given, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
    return given === token ? methods[method]!(json) : TELEGRAM.unauthorized;
  });
  return Object.assign(receiver, {
    texts: messages.texts,
    buttons: messages.buttons,
    updates: updates.all,
    answers,
    press: (data: string, from: Presser) => updates.press(data, from),
  });
}
