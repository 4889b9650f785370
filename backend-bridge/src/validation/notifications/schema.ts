/** The notifications file as DAppNode accepts it, for editors and for the dialect `dappnode`. The dialect `any` accepts more. */
import { z } from 'zod';
import { PRIORITIES } from '../../../contract/notification.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

export const correlationIdSchema = z
  .string()
  .regex(/^[a-zA-Z]{3,}-[a-zA-Z0-9-]+$/u, 'at least three letters, a hyphen, and letters, digits and hyphens')
  .describe('Names the endpoint in settings and threads. It should never change.')
  .meta({ examples: ['dms-cpu', 'geth-eth-peers'] });
const name = z.string().describe('What people see in settings.');
const enabled = z.boolean().describe('Whether it is shipped switched on.');
const isBanner = z.boolean().describe('Whether its notifications request a banner.');
const range = {
  min: z.number().describe('The least value of the slider.'),
  max: z.number().describe('The greatest value of the slider.'),
  unit: z
    .string()
    .optional()
    .describe('Shown behind the value.')
    .meta({ examples: ['%', 'peers'] }),
};
const packageName = z
  .string()
  .regex(
    /^[a-zA-Z0-9._-]+\.(dnp|public)\.dappnode\.eth$/u,
    'a name that ends in .dnp.dappnode.eth or .public.dappnode.eth'
  );
const packageRange = z
  .string()
  .regex(
    /^(\^|~|>|>=|<|<=)?\d+\.\d+\.\d+$/u,
    'three numbers such as 1.2.3, with at most one of ^ ~ > >= < <= before them'
  );
const count = () => z.number().min(1, 'at least 1').refine(Number.isInteger, 'an integer').meta({ type: 'integer' });
const callToAction = z
  .object({
    title: z.string().describe('The title of the button.'),
    url: z.string().describe('http:, https: or a path.'),
  })
  .optional()
  .describe('A link for the reader to act on.');
const requirements = z
  .object({
    pkgsInstalled: z.record(packageName, packageRange).optional().describe('Version ranges by package.'),
    pkgsNotInstalled: z.array(packageName).optional().describe('Packages that must not be installed.'),
  })
  .optional()
  .describe('When the endpoint is active.');

export const alertSchema = z
  .object({
    type: z.literal('custom').describe('Always custom.'),
    enabled: z.boolean().describe('Whether it is sent.'),
    description: z.string().describe('The text of the notification; [CONDITION_VALUE] stands for the threshold.'),
    'failure-threshold': count().describe('Number of failed checks until it fires.'),
    'success-threshold': count().describe('Number of successful checks until it resolves.'),
    'send-on-resolved': z.boolean().describe('Whether a notification is sent when it resolves.'),
  })
  .describe('The alert.');

export const endpointSchema = z
  .object({
    name,
    correlationId: correlationIdSchema,
    enabled,
    group: z
      .string()
      .regex(/^[a-zA-Z0-9_-]+$/u, 'letters, digits, _ and -')
      .describe('The category of its notifications.'),
    url: z
      .string()
      .regex(/^(https?|ftp):\/\/\S+/u, 'an http://, https:// or ftp:// URL')
      .describe('The URL to query.'),
    method: z.enum(METHODS).describe('The HTTP method.'),
    body: z.unknown().optional().describe('The body of the request.'),
    headers: z.unknown().optional().describe('The headers of the request.'),
    interval: z
      .string()
      .regex(/^[0-9]+[smhd]$/u, 'an integer followed by s, m, h or d')
      .describe('How often.')
      .meta({ examples: ['30s'] }),
    conditions: z
      .array(z.string())
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
    callToAction,
    alerts: z.array(alertSchema).length(1, 'exactly one entry').describe('Exactly one.'),
    requirements,
  })
  .describe('What the monitor checks.');

export const customEndpointSchema = z
  .object({
    name,
    description: z.string().describe('Markdown.'),
    correlationId: correlationIdSchema,
    enabled,
    isBanner,
    metric: z
      .object({
        treshold: z.number().describe('The value at which it fires. The spelling is that of DAppNode.'),
        ...range,
      })
      .optional()
      .describe('The slider; the package reads its value.'),
    callToAction: z.unknown().optional().describe('A link, with title and url.'),
    requirements: z.unknown().optional().describe('When the endpoint is active.'),
  })
  .describe('What the package checks itself.');

export const notificationsFileSchema = z
  .object({
    endpoints: z.array(endpointSchema).optional().describe('What the monitor checks.'),
    customEndpoints: z.array(customEndpointSchema).optional().describe('What the package checks itself.'),
  })
  .meta({
    id: 'NotificationsFile',
    description: 'The notifications and thresholds of a package, as DAppNode accepts them.',
  });
