/**
 * Channel `mattermost`: posts of a bot, which are patched, or an incoming webhook.
 * Source: Mattermost API reference, "Create a post", "Patch a post"; Mattermost developer documentation, "Incoming webhooks"; Mattermost
 * documentation, "Format messages"; CommonMark 0.31, "Entity and numeric character references": they are text, never markup.
 */
import { urlSegment } from '../../../../contract/url.ts';
import type { OutboundAnswer } from '../../../platform/http/outbound.ts';
import type { Channel, ChannelSettings, Message, Network, Outcome } from './channel.ts';
import { BREAK, cutToFit, editedOrSent, isOk, markdownLinks, outcomeOfChat, partsOf, urlSecrets } from './chat.ts';
import { jsonSender, jsonText, outcomeOf } from './http.ts';

/** Characters of a post. */
const MAX_POST = 16_383;

/** Mattermost: a reference is the ID of a post. */
export function createMattermost({ name, url = '', token, channel }: ChannelSettings, network: Network): Channel {
  const sendJson = jsonSender(url, name, network);
  const posts = `${url.replace(/\/$/, '')}/api/v4/posts`;
  const secrets = [token, ...urlSecrets(url)];
  const read = (answer: OutboundAnswer): Outcome =>
    outcomeOfChat(answer, {
      service: 'Mattermost',
      refOf: token === undefined ? isOk : (post) => jsonText(post, 'id') || undefined,
      secrets,
      now: network.now(),
    });
  return {
    send(message, { signal }) {
      const text = textOf(message);
      if (token === undefined) {
        return outcomeOf(sendJson(url, { text }, { signal }), network, read);
      }
      const headers = { authorization: `Bearer ${token}` };
      const patch = (ref: string) => `${posts}/${urlSegment(ref)}/patch`;
      return editedOrSent(
        message,
        (ref) => outcomeOf(sendJson(patch(ref), { message: text }, { method: 'PUT', headers, signal }), network, read),
        () => outcomeOf(sendJson(posts, { channel_id: channel, message: text }, { headers, signal }), network, read)
      );
    },
  };
}

/**
 * Text without markup: punctuation as character references, indentation (a code block) as no-break spaces. Mentions are read after
 * references are.
 */
export const escapeMattermost = (text: string): string =>
  text
    .replaceAll(/^[ \t]+/gm, (space) => '\u00a0'.repeat(space.length))
    .replaceAll(/[!#$&()*+\-.:<=>@[\\\]^_`{|}~]/g, (one) => `&#${one.charCodeAt(0)};${one === '@' ? BREAK : ''}`);

function textOf(message: Message): string {
  const { title, text, from } = partsOf(message);
  const links = markdownLinks(message, escapeMattermost, MAX_POST / 2);
  const [mark, ...words] = title.split(' ');
  const head = `${mark} **${escapeMattermost(cutToFit(words.join(' '), (it) => escapeMattermost(it).length <= 2000))}**`;
  const compose = (body: string): string =>
    [head, escapeMattermost(body), escapeMattermost(from), links].filter((part) => part !== '').join('\n\n');
  return compose(cutToFit(text, (shorter) => compose(shorter).length <= MAX_POST));
}
