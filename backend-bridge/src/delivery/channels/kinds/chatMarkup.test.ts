/** No text of a notification mentions anybody, makes a link, or formats, in any chat service. */
import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import type { Message } from './channel.ts';
import { chatChannel, type Name, withChats } from './chatKinds.testing.ts';
import { send } from './kinds.testing.ts';

/** Pieces that are markup somewhere, among any characters. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          '@all',
          '@channel',
          '@here',
          '@everyone',
          '<!channel>',
          '<@U1>',
          '<users/all>',
          '<at>x</at>',
          '#ops',
          '~town-square',
        ],
        ...[
          '[a](http://x.example)',
          '<http://x.example|a>',
          '![a](http://x.example)',
          'https://x.example',
          'www.x.example',
          'a@x.example',
        ],
        ...[
          '**b**',
          '_i_',
          '~~s~~',
          '`c`',
          '```',
          '||s||',
          '\\',
          '&lt;',
          '&#42;',
          ':smile:',
          '{{DATE(2026-01-01T00:00:00Z)}}',
          '$x$',
        ],
        ...[
          '\n',
          '  \n',
          '\r\n',
          '\n    ',
          '\n\n    c',
          '\n# ',
          '\n> ',
          '\n- ',
          '\n1. ',
          '\n===',
          '\n---',
          '\n| a |',
          '<b>',
          '\t',
        ]
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 })
    ),
    { maxLength: 12 }
  )
  .map((parts) => parts.join(''));

/** Requires that nothing of a text is markup, as the service reads it. @returns what it shows */
type Read = (json: never) => string[];
const entities = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
const shown = (text: string): string => text.replaceAll(/[\s\u200b\u00a0]/g, '');

interface GoogleMessage {
  fallbackText: string;
  cardsV2: [{ card: { sections: [{ widgets: { textParagraph: { text: string } }[] }] } }];
}
interface TeamsMessage {
  attachments: [{ content: { body: { inlines: [{ text: string }] }[] } }];
}

const READERS: Partial<Record<Name, Read>> = {
  'slack, token': ({ blocks }: { blocks: { text: { text: string } }[] }) =>
    blocks.slice(0, 2).map(({ text }) => entities(text.text)),
  googlechat: ({ cardsV2: [{ card }], fallbackText }: GoogleMessage) => {
    expect(fallbackText).not.toMatch(/<users\//);
    const texts = card.sections[0].widgets.map(({ textParagraph }) => textParagraph.text);
    expect(texts.join('').replaceAll(/^<b>|<\/b>|<\/?i>/g, '')).not.toMatch(/[<>]|&(?!(?:amp|lt|gt);)/);
    return texts.map((text) => entities(text.replace(/^<b>(.*)<\/b>$/s, '$1')));
  },
  teams: ({ attachments: [{ content }] }: TeamsMessage) => {
    const texts = content.body.map(({ inlines: [{ text }] }) => text);
    expect(texts.join('')).not.toContain('{{');
    return [texts[0]!, texts.slice(1, -1).join('')];
  },
  discord: ({ embeds: [{ title, description }] }: { embeds: [{ title: string; description: string }] }) => {
    for (const text of [title, description]) {
      expect(text.replaceAll(/\\[^\dA-Za-z\s]/g, '')).not.toMatch(/[!#()*+\-.:<>@[\\\]_`{|}~]/);
    }
    return [title, description].map((text) => text.replaceAll(/\\([^\dA-Za-z\s])/g, '$1'));
  },
  'mattermost, token': ({ message }: { message: string }) => {
    const html = micromark(message, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
    // Two spaces before a line break change nothing: Mattermost shows all line breaks.
    expect(html.replaceAll('<br />', '')).toMatch(/^<p>\S+ <strong>[^<]*<\/strong><\/p>(?:\n<p>[^<]*<\/p>)*$/);
    const [title, ...texts] = html.split('\n<p>').map((part) => entities(part.replaceAll(/<[^<>]*>/g, '')));
    expect([title, ...texts].join('\n')).not.toMatch(/@[\w.-]/);
    expect(message).not.toMatch(/(?:^|[^&])#|~\w|:\w+:/);
    return [title!, texts.slice(0, -1).join('')];
  },
  'rocketchat, token': ({ text }: { text: string }) => {
    expect(text).not.toMatch(/[@#][\w.-]/);
    const [, mark, code] = /^(\S+)\n```\n(.+)\n```$/s.exec(text)!;
    expect(code).not.toMatch(/```|`$/m);
    return [`${mark} ${code}`];
  },
};

/** Short enough for each service, also when escaped: a longer one is cut. */
const short = hostile.filter(
  (text) => text.replaceAll(/[<>&]/g, '&amp;').replaceAll(/[!-/:-@[-`{-~]/g, '__').length <= 120
);

const chats = withChats(Object.keys(READERS) as Name[]);

test.each(Object.entries(READERS) as [Name, Read][])('%s: no text is markup', async (name, read) => {
  await fc.assert(
    fc.asyncProperty(short, hostile, async (title, body) => {
      const message = { title: `x${title}`, body: `${body}x`, dnpName: 'p', category: 'c' } satisfies Partial<Message>;
      expect(await send(chatChannel(name, chats[name]), message)).toMatchObject({ kind: 'delivered' });
      const text = read(chats[name].accepted.at(-1)!.json as never)
        .map(shown)
        .join('');
      // Control characters of a title become spaces.
      expect(text).toContain(shown(`Important: ${message.title}`.replaceAll(/\p{Cc}/gu, '')));
      expect(text).toContain(shown(message.body));
    }),
    { numRuns: 150 }
  );
});
