/**
 * Channel `mattermost`: posts of a bot, which are patched, or an incoming webhook. Its server posts presses of buttons to the bridge, and
 * shows their tokens to nobody.
 * Source: Mattermost API reference, "Create a post", "Patch a post"; Mattermost developer documentation, "Incoming webhooks",
 * "Interactive messages"; Mattermost documentation, "Format messages"; CommonMark 0.31, "Entity and numeric character references": they are text, never markup.
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
      const text = textOf({ ...message, actions: message.actions?.filter((one) => one.token === undefined) ?? [] });
      const buttons = buttonsOf(message);
      if (token === undefined) {
        const attachments = buttons.length === 0 ? undefined : buttons;
        return outcomeOf(sendJson(url, { text, attachments }, { signal }), network, read);
      }
      const content = { message: text, props: { attachments: buttons } };
      const headers = { authorization: `Bearer ${token}` };
      const patch = (ref: string) => `${posts}/${urlSegment(ref)}/patch`;
      return editedOrSent(
        message,
        (ref) => outcomeOf(sendJson(patch(ref), content, { method: 'PUT', headers, signal }), network, read),
        () => outcomeOf(sendJson(posts, { channel_id: channel, ...content }, { headers, signal }), network, read)
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

/** An attachment with the buttons; none, so that a patch removes those of before. */
function buttonsOf({ actions = [], buttons = [] }: Message): object[] {
  const shown = buttons.flatMap(({ action, label, token }) => {
    const endpoint = actions.find((one) => one.token === token)?.endpoint;
    const integration = { url: `${endpoint}/mattermost`, context: { token } };
    return endpoint === undefined ? [] : [{ id: action, type: 'button', name: label, integration }];
  });
  return shown.length === 0 ? [] : [{ fallback: '', actions: shown }];
}

function textOf(message: Message): string {
  const { title, text, from } = partsOf(message);
  const links = markdownLinks(message, escapeMattermost, MAX_POST / 2);
  const [mark, ...words] = title.split(' ');
  const head = `${mark} **${escapeMattermost(cutToFit(words.join(' '), (it) => escapeMattermost(it).length <= 2000))}**`;
  const compose = (body: string): string =>
    [head, escapeMattermost(body), escapeMattermost(from), links].filter((part) => part !== '').join('\n\n');
  return compose(cutToFit(text, (shorter) => compose(shorter).length <= MAX_POST));
}
