/** Operations: actions of messages. The token of the message is the credential. */
import {
  ACTION_PAGE,
  actionBodySchema,
  actionShownSchema,
  actionTakenSchema,
  mattermostAnswerSchema,
  mattermostPressSchema,
  twilioQuerySchema,
} from '../messageAction.ts';
import {
  NOT_PROXIED,
  binary,
  content,
  del,
  getRoot,
  json,
  noContent,
  ok,
  operations,
  post,
  segment,
} from '../operation.ts';

export const ACTIONS = operations('Respond', {
  takeAction: post('/actions', NOT_PROXIED, {
    access: 'open',
    summary: 'Do what a button of a message says; 410 if the token has expired or was used',
    body: json(() => actionBodySchema, { limits: { limit: 1024 } }),
    reply: ok('It is done.', () => actionTakenSchema),
    problems: [409, 410],
  }),
  showAction: post('/actions/show', NOT_PROXIED, {
    access: 'open',
    summary: 'Show what a button of a message does, without doing it',
    body: json(() => actionBodySchema, { limits: { limit: 1024 } }),
    reply: ok('The action.', () => actionShownSchema),
    problems: [410],
  }),
  takeMattermostAction: post('/actions/mattermost', NOT_PROXIED, {
    access: 'open',
    summary: 'Do what a button of a message in Mattermost says; a failure is a sentence too',
    body: json(() => mattermostPressSchema, { limits: { limit: 16_384 } }),
    reply: ok('For who pressed.', () => mattermostAnswerSchema),
  }),
  takeTwilioAction: post('/actions/twilio', NOT_PROXIED, {
    access: 'open',
    summary: 'Do what a key says that was pressed in a call by Twilio; a failure is a sentence too',
    query: () => twilioQuerySchema,
    headers: { 'X-Twilio-Signature': 'Of the URL and the form, by the auth token of the account.' },
    body: binary('application/x-www-form-urlencoded', 'As Twilio sends it, with the key as `Digits`.'),
    reply: content('TwiML, for who pressed.', 'text/xml'),
    problems: [413, 415],
  }),
  takeDiscordAction: post('/actions/discord', NOT_PROXIED, {
    access: 'open',
    summary: 'Do what a button of a message in Discord says; a failure is a sentence too',
    headers: {
      'X-Signature-Ed25519': 'Of the time and the body, by the key of the application.',
      'X-Signature-Timestamp': 'Unix seconds.',
    },
    body: binary('application/json', 'An interaction, as Discord sends it.'),
    reply: content('The response to Discord, for who pressed.', 'application/json'),
    problems: [400, 401, 413, 415],
  }),
  actionPage: getRoot(ACTION_PAGE, NOT_PROXIED, {
    access: 'open',
    summary: 'The page of a link in a message: it asks before it acts',
    reply: content('The page.', 'text/html'),
  }),
  revokeActions: del('/channels/{name}/actions', 'bridge:admin', {
    summary: 'Invalidate the buttons and links of the messages that a channel has sent so far',
    params: { name: segment('Name of the channel.') },
    reply: noContent('They do nothing any more; later messages offer new ones.'),
    problems: [404],
  }),
});
