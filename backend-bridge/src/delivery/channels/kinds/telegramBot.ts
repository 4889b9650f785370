/** The bot of a Telegram channel. Source: Telegram Bot API, "Making requests". */
import { DESCRIPTORS } from '../../../../contract/channelTypes/index.ts';
import { urlSegment } from '../../../../contract/url.ts';
import { withoutSlash } from './http.ts';

export interface Bot {
  /** Address of the Bot API server. Default: Telegram's. */
  url?: string | undefined;
  token: string;
}

const SERVER = DESCRIPTORS.telegram.url!;

/** The colon in each token stays, as the Bot API documents it. */
export const methodUrl = ({ url = SERVER, token }: Bot, method: string): string =>
  `${withoutSlash(url)}/bot${urlSegment(token).replaceAll('%3A', ':')}/${method}`;

/** Names a bot. A secret. */
export const accountOf = ({ url = SERVER, token }: Bot): string => `${withoutSlash(url)} ${token}`;
