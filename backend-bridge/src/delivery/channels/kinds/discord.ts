/**
 * Channel `discord`: a webhook, whose messages are changed later.
 * Source: Discord developer documentation, "Execute Webhook", "Edit Webhook Message", "Component Reference", "Allowed Mentions Object", "Embed Limits", "Rate
 * Limits"; Discord support, "Markdown Text 101" (a backslash before a character).
 */
import { urlSegment } from '../../../../contract/url.ts';
import type { Channel, ChannelSettings, Message, Network, Outcome } from './channel.ts';
import {
  changedUrl,
  cutToFit,
  editedOrSent,
  escapedWithin,
  markdownLinks,
  outcomeOfChat,
  partsOf,
  urlSecrets,
} from './chat.ts';
import { jsonSender, jsonText, outcomeOf } from './http.ts';

/** Characters; together at most 6000. */
const MAX_TITLE = 256;
const MAX_DESCRIPTION = 4096;
const MAX_LINKS = 2500;

const COLORS = { low: 0x5794f2, medium: 0xfade2a, high: 0xff9830, critical: 0xf2495c } as const;
const RESOLVED = 0x73bf69;

/** Discord: a reference is the ID of a message. */
export function createDiscord({ name, url = '', publicKey }: ChannelSettings, network: Network): Channel {
  const sendJson = jsonSender(url, name, network);
  return {
    send(message, { signal }) {
      const components = publicKey === undefined ? undefined : componentsOf(message);
      const body = { embeds: [embedOf(message)], components, allowed_mentions: { parse: [] } };
      const call = (method: 'POST' | 'PATCH', target: string): Promise<Outcome> =>
        outcomeOf(sendJson(target, body, { method, signal }), network, (answer) =>
          outcomeOfChat(answer, {
            service: 'a Discord webhook',
            refOf: (response) => jsonText(response, 'id') || undefined,
            secrets: urlSecrets(url, message),
            now: network.now(),
          })
        );
      return editedOrSent(
        message,
        (ref) => call('PATCH', changedUrl(url, `/messages/${urlSegment(ref)}`, {})),
        // Without it, the response has no ID.
        () => call('POST', changedUrl(url, '', { wait: 'true' }))
      );
    },
  };
}

export const escapeDiscord = (text: string): string => text.replaceAll(/[!#()*+\-.:<>@[\\\]_`{|}~]/g, String.raw`\$&`);

/** A row of buttons; none, so that a change removes those of before. */
function componentsOf({ buttons = [] }: Message): object[] {
  const shown = buttons.map(({ label, token }) => ({ type: 2, style: 2, label, custom_id: token }));
  return shown.length === 0 ? [] : [{ type: 1, components: shown }];
}

function embedOf(message: Message): object {
  const { title, text, from } = partsOf(message);
  const links = markdownLinks(message, escapeDiscord, MAX_LINKS);
  const compose = (body: string): string => [escapeDiscord(body), links].filter((part) => part !== '').join('\n\n');
  return {
    title: escapedWithin(title, MAX_TITLE, escapeDiscord),
    description: compose(cutToFit(text, (shorter) => compose(shorter).length <= MAX_DESCRIPTION)),
    color: message.status === 'resolved' ? RESOLVED : COLORS[message.priority],
    ...(from !== '' && { footer: { text: from } }),
  };
}
