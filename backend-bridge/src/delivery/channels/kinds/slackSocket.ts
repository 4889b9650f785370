/**
 * Presses of buttons in Slack, over a WebSocket that the bridge opens: no open port is needed. A press is acknowledged once it has taken
 * effect; one that is not shows an error to who has pressed.
 * Source: docs.slack.dev, "Using Socket Mode", "apps.connections.open", "block_actions payload", "Handling user interaction" (response_url).
 */
import { z } from 'zod';
import { LIMITS } from '../../../../contract/limits.ts';
import { MINUTE_MS } from '../../../../contract/time.ts';
import { rulesForSetting } from '../../../platform/http/addresses.ts';
import { checkedAddresses } from '../../../platform/http/outbound.ts';
import type { ChannelSettings, Network, Press, Presses } from './channel.ts';
import { answered, channelRules, jsonOf, jsonSender } from './http.ts';
import { PollError, polling } from './listening.ts';
import { cut, maskedDetail, oneLine } from './text.ts';

/** Then another connection takes over: one that was lost on the way is not noticed. */
const RENEW_MS = 10 * MINUTE_MS;
/** Slack announces the end of a connection that has lasted longer; a shorter one is an error, such as `too_many_websockets`. */
const SHORTEST_MS = MINUTE_MS;

const openedSchema = z.looseObject({ ok: z.boolean(), url: z.string().optional(), error: z.string().optional() });
const personSchema = z.looseObject({ id: z.string(), username: z.string().optional(), name: z.string().optional() });
const pressSchema = z.looseObject({
  type: z.literal('block_actions'),
  user: personSchema,
  channel: z.looseObject({ id: z.string(), name: z.string().optional() }),
  actions: z.tuple([z.looseObject({ value: z.string() })], z.unknown()),
  response_url: z.url().optional().catch(undefined),
});
const envelopeSchema = z.looseObject({
  type: z.string(),
  envelope_id: z.string().optional(),
  payload: z.unknown().optional(),
  reason: z.string().optional().catch(undefined),
});

type App = Required<Pick<ChannelSettings, 'name' | 'url'>> & { appToken: string };
type Take = (press: Press) => Promise<string>;

/** Listens to an app. @param url of the Web API */
export function listenToApp({ name, url, appToken }: App, network: Network): Presses['listen'] {
  const sendJson = jsonSender(url, name, network);
  /** @returns the address of a connection, which is a secret @throws Error with a sentence without secrets */
  const open = async (signal: AbortSignal): Promise<string> => {
    const headers = { authorization: `Bearer ${appToken}` };
    const answer = await answered(sendJson(`${url}/apps.connections.open`, {}, { headers, signal }), network);
    const { ok, url: address, error = 'no address' } = openedSchema.safeParse(jsonOf(answer)).data ?? { ok: false };
    if (!ok || address === undefined) {
      throw new PollError(answer, maskedDetail(error, appToken), network.now());
    }
    await requireAllowed(address, { name, url, appToken }, network, signal);
    return address;
  };
  /** @param acknowledge within three seconds, so before anything else is sent */
  const take = async (
    payload: unknown,
    { on, signal, acknowledge }: { on: Take; signal: AbortSignal; acknowledge: () => void }
  ): Promise<void> => {
    const press = pressSchema.safeParse(payload).data;
    const text = press && (await on(pressOf(press)));
    acknowledge();
    if (press?.response_url !== undefined) {
      // The press has taken effect: an answer that is lost changes nothing.
      await sendJson(press.response_url, { text, replace_original: false }, { signal }).catch(() => undefined);
    }
  };
  return polling(() => {
    let before: WebSocket | undefined;
    return async (on, signal) => {
      const socket = new WebSocket(await open(signal));
      await ended(socket, signal, ({ type, envelope_id: id, payload }) => {
        if (type === 'hello') {
          // The one before has delivered until now.
          before?.close();
          before = socket;
        } else if (id !== undefined) {
          const acknowledge = (): void => socket.send(JSON.stringify({ envelope_id: id }));
          take(payload, { on, signal, acknowledge }).catch(() => undefined);
        }
      });
      return false;
    };
  });
}

/** Waits until there must be another connection. @throws Error with a sentence without secrets, if this one breaks */
function ended(
  socket: WebSocket,
  signal: AbortSignal,
  onEnvelope: (envelope: z.output<typeof envelopeSchema>) => void
): Promise<void> {
  return new Promise((resolve, reject) => {
    const since = performance.now();
    // A server that is gone does not answer the closing handshake.
    const close = (): void => {
      clearTimeout(timer);
      socket.close();
      reject(new Error('Slack does not respond on the WebSocket.'));
    };
    let timer = setTimeout(close, LIMITS.channelTime.value);
    signal.addEventListener('abort', close);
    socket.addEventListener('message', ({ data }: { data: unknown }) => {
      const envelope = envelopeSchema.safeParse(jsonOf({ body: Buffer.from(String(data)) })).data;
      if (envelope?.type === 'hello') {
        clearTimeout(timer);
        timer = setTimeout(resolve, RENEW_MS);
      } else if (envelope?.type === 'disconnect') {
        const reason = cut(oneLine(envelope.reason ?? ''), 100);
        if (performance.now() - since < SHORTEST_MS) {
          reject(new Error(`Slack has ended a new connection: ${reason}.`));
        }
        resolve();
      }
      if (envelope) {
        onEnvelope(envelope);
      }
    });
    socket.addEventListener('close', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', close);
      reject(new Error('Slack has closed the WebSocket.'));
    });
  });
}

/** @throws OutboundError or Error for an address to which the bridge does not connect */
async function requireAllowed(address: string, { name, url }: App, network: Network, signal: AbortSignal) {
  const target = new URL(address);
  if (target.protocol !== 'wss:' && new URL(url).protocol === 'https:') {
    throw new Error(`The address of the WebSocket must begin with wss:; found ${target.protocol}`);
  }
  const allow = channelRules(rulesForSetting(url), network);
  await checkedAddresses(
    target,
    `WebSocket of channel ${name}`,
    { allow, ...(network.lookup && { lookup: network.lookup }) },
    signal
  );
}

function pressOf({ user, channel, actions: [{ value }] }: z.output<typeof pressSchema>): Press {
  const chats = [channel.id, ...(channel.name === undefined ? [] : [`#${channel.name}`])];
  return { token: value, who: user.name ?? user.username ?? user.id, chats };
}
