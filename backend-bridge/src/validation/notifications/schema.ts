/** The notifications file as DAppNode accepts it, for editors. Validation accepts more, with warnings. */
import { z } from 'zod';
import { PRIORITIES } from '../../../contract/notification.ts';

const correlationId = z
  .string()
  .regex(/^[a-zA-Z]{3,}-[a-zA-Z0-9-]+$/)
  .describe('Names the endpoint in settings and threads. It should never change.')
  .meta({ examples: ['dms-cpu', 'geth-eth-peers'] });
const name = z.string().describe('What people see in settings.');
const enabled = z.boolean().describe('Whether it is shipped switched on.');
const isBanner = z.boolean().describe('Whether its notifications ask for a banner.');
const range = {
  min: z.number().describe('The least value of the slider.'),
  max: z.number().describe('The greatest value of the slider.'),
  unit: z
    .string()
    .optional()
    .describe('Shown behind the value.')
    .meta({ examples: ['%', 'peers'] }),
};
const packageName = z.string().regex(/\.(dnp|public)\.dappnode\.eth$/);
const shared = {
  callToAction: z
    .object({
      title: z.string().describe('The words on the button.'),
      url: z.string().describe('http:, https: or a path.'),
    })
    .optional()
    .describe('A link for the reader to act on.'),
  requirements: z
    .object({
      pkgsInstalled: z.record(packageName, z.string()).optional().describe('Ranges of versions by package.'),
      pkgsNotInstalled: z.array(packageName).optional().describe('Packages that must not be there.'),
    })
    .optional()
    .describe('When the endpoint is active.'),
};

const alertSchema = z
  .object({
    type: z.literal('custom').describe('Always custom.'),
    enabled: z.boolean().describe('Whether it is sent.'),
    description: z.string().describe('The text of the notification; [CONDITION_VALUE] stands for the threshold.'),
    'failure-threshold': z.int().min(1).describe('After how many failing checks it is sent.'),
    'success-threshold': z.int().min(1).describe('After how many good checks it is over.'),
    'send-on-resolved': z.boolean().describe('Whether it is told when it is over.'),
  })
  .describe('How it is told.');

const endpointSchema = z
  .object({
    name,
    correlationId,
    enabled,
    group: z
      .string()
      .regex(/^[a-zA-Z0-9_-]+$/)
      .describe('The category of its notifications.'),
    url: z.string().describe('What is asked.'),
    method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).describe('How it is asked.'),
    body: z.string().optional().describe('What is sent along.'),
    headers: z.record(z.string(), z.string()).optional().describe('Headers that are sent along.'),
    interval: z
      .string()
      .regex(/^[0-9]+[smhd]$/)
      .describe('How often.')
      .meta({ examples: ['30s'] }),
    conditions: z
      .array(z.string())
      .min(1)
      .describe('What is healthy, as Gatus reads it; the first holds the threshold.')
      .meta({ examples: [['[BODY].data.result[0].value[1] <= 80']] }),
    metric: z.object(range).optional().describe('The range of the slider; without it there is none.'),
    definition: z
      .object({
        title: z.string().describe('What people see in settings.'),
        description: z.string().describe('Markdown.'),
      })
      .describe('What people see in settings.'),
    priority: z.enum(PRIORITIES).describe('How soon a person should act.'),
    isBanner,
    ...shared,
    alerts: z.array(alertSchema).length(1).describe('Exactly one.'),
  })
  .describe('What the monitor checks.');

const customEndpointSchema = z
  .object({
    name,
    description: z.string().describe('Markdown.'),
    correlationId,
    enabled,
    isBanner,
    metric: z
      .object({ treshold: z.number().describe('At which number it alerts. So spelt.'), ...range })
      .optional()
      .describe('The slider; the package reads its value.'),
    ...shared,
  })
  .describe('What the package checks itself.');

export const notificationsFileSchema = z
  .object({
    endpoints: z.array(endpointSchema).optional().describe('What the monitor checks.'),
    customEndpoints: z.array(customEndpointSchema).optional().describe('What the package checks itself.'),
  })
  .meta({
    id: 'NotificationsFile',
    description:
      'What a package notifies of, and which thresholds can be moved. `nodebell validate` takes more than this, with warnings.',
  });
