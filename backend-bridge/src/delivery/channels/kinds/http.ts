/** Common code of channels over HTTP. */
import { LIMITS } from '../../../../contract/limits.ts';
import { problemType } from '../../../../contract/problem.ts';
import { type AddressRules, readAddressRules, rulesForSetting } from '../../../platform/http/addresses.ts';
import { createOutbound, type Outbound, type OutboundAnswer, OutboundError } from '../../../platform/http/outbound.ts';
import type { Network, Outcome } from './channel.ts';

/** Allowed destinations of a channel: its own host, wherever it is, and those that the operator allows. */
export const channelRules = (host: readonly string[], { allow, isPublicOnly }: Network): AddressRules =>
  readAddressRules(isPublicOnly ? allow : [...allow, ...host]);

export const channelOutbound = (
  url: string,
  network: Network,
  maxBytes: number = LIMITS.channelResponseBytes.value
): Outbound =>
  createOutbound({
    allow: channelRules(rulesForSetting(url), network),
    timeoutMs: LIMITS.channelTime.value,
    maxBytes,
    ...(network.lookup && { lookup: network.lookup }),
  });

interface ChannelRequest {
  signal: AbortSignal;
  /** Default: POST. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH';
  headers?: Record<string, string>;
}

type Send<B> = (target: string, body: B, request: ChannelRequest) => Promise<OutboundAnswer>;

const senderOf =
  <B>(type: string, write: (body: B & object) => string) =>
  /** @param url of the channel, which decides the allowed destinations */
  (url: string, name: string, network: Network, maxBytes?: number): Send<B> => {
    const outbound = channelOutbound(url, network, maxBytes);
    return (target, body, { signal, method = 'POST', headers }) =>
      outbound.fetchGuarded(target, `channel ${name}`, {
        method,
        headers: { ...(body && { 'content-type': type }), ...headers },
        ...(body && { body: write(body) }),
        signal,
      });
  };

/** Sends JSON for a channel. */
export const jsonSender = senderOf<object | undefined>('application/json', JSON.stringify);
/** Sends forms for a channel. */
export const formSender = senderOf<Record<string, string>>('application/x-www-form-urlencoded', (fields) =>
  new URLSearchParams(fields).toString()
);

/** The failure of a connection, with what to do about an address that is not allowed. */
export const reasonOf = ({ reason, message }: OutboundError, { isPublicOnly }: Network): string =>
  reason === 'address' && isPublicOnly
    ? `${message.replace(/\.$/, '')}. For a private address, add the channel in a provisioning file, or the address to NODEBELL_OUTBOUND_ALLOW.`
    : message;

/** The outcome of a request; those that failed on the way are retried. */
export async function outcomeOf(
  request: Promise<OutboundAnswer>,
  network: Network,
  read: (answer: OutboundAnswer) => Outcome
): Promise<Outcome> {
  try {
    return read(await request);
  } catch (error) {
    if (error instanceof OutboundError) {
      return { kind: 'retry', reason: reasonOf(error, network) };
    }
    throw error;
  }
}

/** The answer. @throws Error with the failure of a connection as a sentence without secrets */
export async function answered(request: Promise<OutboundAnswer>, network: Network): Promise<OutboundAnswer> {
  try {
    return await request;
  } catch (error) {
    throw error instanceof OutboundError ? new Error(reasonOf(error, network), { cause: error }) : error;
  }
}

/** The reason for what has come through more bridges than `LIMITS.viaBridges`. */
export const TOO_FAR = 'It has come through too many bridges.';
export const isTooFar = (via: readonly string[]): boolean => via.length > LIMITS.viaBridges.value;

/** Undefined: not JSON. */
export function jsonOf({ body }: Pick<OutboundAnswer, 'body'>): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A text member of a JSON response; empty: there is none. */
export function jsonText(answer: OutboundAnswer, member: string): string {
  const text = (jsonOf(answer) as Record<string, unknown> | undefined)?.[member];
  return typeof text === 'string' ? text : '';
}

/** A bridge responds that the notification has been there before (platform/http/via.ts). */
export const isLoop = (answer: OutboundAnswer): boolean =>
  answer.status >= 400 && jsonText(answer, 'type') === problemType('loop');

/** Statuses that may pass by themselves. 401: the credentials can be replaced. */
const isPassing = (status: number): boolean => status >= 500 || [401, 408, 425, 429].includes(status);

/** @param detail what the service says, without secrets */
export const statusReason = ({ status }: OutboundAnswer, detail = ''): string =>
  `The server responds with ${status}${detail === '' ? '' : `: ${detail}`}.`;

/** @param detail as that of {@link statusReason} */
export function outcomeOfStatus(answer: OutboundAnswer, now: number, detail?: string): Outcome {
  const { status, headers } = answer;
  if (status >= 200 && status < 300) {
    return { kind: 'delivered' };
  }
  const reason = statusReason(answer, detail);
  if (!isPassing(status)) {
    return { kind: 'refused', reason };
  }
  const afterMs = retryAfterMs(headers['retry-after'], now);
  return { kind: 'retry', reason, ...(afterMs !== undefined && { afterMs }) };
}

/** An address without the slash at its end. */
export const withoutSlash = (url: string): string => url.replace(/\/$/, '');

/** Seconds or a date (RFC 9110, 10.2.3). */
export function retryAfterMs(value: string | string[] | undefined, now: number): number | undefined {
  if (typeof value !== 'string') {
    return undefined;
  }
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
