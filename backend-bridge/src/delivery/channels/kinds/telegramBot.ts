/** The bot of a Telegram channel. Source: Telegram Bot API, "Making requests". */
import { z } from 'zod';
import { DESCRIPTORS } from '../../../../contract/channelTypes/index.ts';
import { urlSegment } from '../../../../contract/url.ts';
import type { OutboundAnswer } from '../../../platform/http/outbound.ts';
import { jsonOf, withoutSlash } from './http.ts';

export interface Bot {
  /** Address of the Bot API server. Default: Telegram's. */
  url?: string | undefined;
  token: string;
}

const SERVER = DESCRIPTORS.telegram.url!;

/** The colon in each token stays, as the Bot API documents it. */
export const methodUrl = ({ url = SERVER, token }: Bot, method: string): string =>
  `${withoutSlash(url)}/bot${urlSegment(token).replaceAll('%3A', ':')}/${method}`;

const responseSchema = z.looseObject({
  ok: z.boolean(),
  description: z.string().default(''),
  result: z.unknown().optional(),
  parameters: z.looseObject({ retry_after: z.number().optional() }).optional().catch(undefined),
});

/** A response of the Bot API; `afterMs`: the pause that it demands. */
export function botAnswer(answer: OutboundAnswer) {
  const { ok, description, result, parameters } = responseSchema.safeParse(jsonOf(answer)).data ?? { description: '' };
  const seconds = parameters?.retry_after;
  return { ok: ok === true, description, result, afterMs: seconds === undefined ? undefined : seconds * 1000 };
}

/** Names a bot. A secret. */
export const accountOf = ({ url = SERVER, token }: Bot): string => `${withoutSlash(url)} ${token}`;
