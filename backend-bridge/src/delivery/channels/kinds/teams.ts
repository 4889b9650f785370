/**
 * Channel `teams`: an Adaptive Card for a workflow. Texts are TextRuns, which have no Markdown.
 * Source: Microsoft Learn, "Create incoming webhooks with Workflows", "Send Adaptive Cards using an Incoming Webhook", "Limits and
 * specifications for Microsoft Teams" (28 KB); Adaptive Cards schema, "RichTextBlock", "TextRun", "Action.OpenUrl", "Text features".
 */
import type { Channel, ChannelSettings, Message, Network } from './channel.ts';
import { BREAK, cutToFit, chatLinks, outcomeOfChat, partsOf, urlSecrets } from './chat.ts';
import { jsonSender, outcomeOf } from './http.ts';
import { cut } from './text.ts';

/** Bytes of the request; the workflow adds to it. */
const MAX_BYTES = 24 * 1024;
const MAX_TITLE = 500;
/** Each is an element of the card. */
const MAX_LINES = 100;

const COLORS = { low: 'Accent', medium: 'Warning', high: 'Warning', critical: 'Attention' } as const;

/** Teams: a message cannot be changed. */
export function createTeams({ name, url = '' }: ChannelSettings, network: Network): Channel {
  const sendJson = jsonSender(url, name, network);
  return {
    send(message, { signal }) {
      return outcomeOf(sendJson(url, payloadOf(message), { signal }), network, (answer) =>
        outcomeOfChat(answer, {
          service: 'Teams',
          refOf: () => '',
          secrets: urlSecrets(url, message),
          now: network.now(),
        })
      );
    },
  };
}

/** Two braces would begin a function such as `{{DATE(…)}}`. */
const run = (text: string, style: object = {}): object => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text: text.replaceAll(/\{(?=\{)/g, `{${BREAK}`), ...style }],
});

function linesIn(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), '…'] : lines;
}

function payloadOf(message: Message): object {
  const { title, text, from } = partsOf(message);
  const color = message.status === 'resolved' ? 'Good' : COLORS[message.priority];
  const actions = chatLinks(message).map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url }));
  const compose = (body: string): object => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.2',
          msteams: { width: 'Full' },
          body: [
            run(cut(title, MAX_TITLE), { weight: 'Bolder', size: 'Medium', color }),
            ...linesIn(body).map((line) => ({ ...run(line), spacing: 'Small' })),
            ...(from === '' ? [] : [run(from, { isSubtle: true, size: 'Small' })]),
          ],
          actions,
        },
      },
    ],
  });
  return compose(cutToFit(text, (shorter) => Buffer.byteLength(JSON.stringify(compose(shorter))) <= MAX_BYTES));
}
