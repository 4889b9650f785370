/** Microsoft Teams: a workflow that posts what it receives. */
import { describeChannel, webhookUrl } from './descriptor.ts';

export const teams = describeChannel({
  label: () => 'Microsoft Teams',
  description: (t) => t('channels.kind.teams-text', 'Cards in a channel or chat, posted by a workflow.'),
  icon: 'microsoft',
  fields: {
    url: {
      ...webhookUrl,
      help: (t) =>
        t(
          'channels.help.teams-url',
          'Of a workflow with the trigger “When a Teams webhook request is received”, from anyone. Not of a connector.'
        ),
    },
  },
});
