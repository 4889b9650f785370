/** The test of routes: POST /routes/test. */
import { z } from 'zod';
import { placedRouteSchema, WAITS_FOR } from './channel.ts';
import { text } from './channelTypes/descriptor.ts';
import { labelsSchema } from './labels.ts';
import { nodePathSchema, PRIORITIES, STATUSES } from './notification.ts';

/** Fields that routes compare; the defaults are those of a notification. */
export const routeTestBodySchema = z
  .strictObject({
    category: text(1024).optional().describe('Its category.').meta({ default: 'other' }),
    dnpName: text(200).optional().describe('Its package.').meta({ default: 'unknown' }),
    priority: z.enum(PRIORITIES).optional().describe('Its priority.').meta({ default: 'low' }),
    status: z.enum(STATUSES).optional().describe('Its status.').meta({ default: 'triggered' }),
    node: nodePathSchema.optional().describe('Its node. Default: none.'),
    labels: labelsSchema.optional().describe('Its labels. Default: none.'),
  })
  .meta({ id: 'RouteTest', description: 'The notification for which routes are tested.' });

/** Fields that routes compare. */
const COMPARED = ['priority', 'category', 'package', 'status', 'node', 'labels'] as const;

export const routeTestResultSchema = z
  .object({
    channels: z.array(z.string()).describe('Channels to which it would be sent, steps after the first left out.'),
    routes: z
      .array(
        placedRouteSchema.extend({
          matches: z.boolean().describe('Whether it matches.'),
          reached: z.boolean().describe('False: a route before it matched, without `continue`.'),
          why: z.array(z.string()).describe('Each comparison, in words.'),
          comparisons: z
            .array(
              z.object({
                what: z.enum(COMPARED).describe('Compared field.'),
                found: z.string().describe('Value of the notification; empty: none.'),
                allowed: z
                  .array(z.string())
                  .describe('Values of the route: one of these; for the priority, at least this one.'),
                holds: z.boolean().describe('Whether it matches.'),
              })
            )
            .describe('The reasons as data; empty: the route matches every notification.'),
        })
      )
      .describe('All routes, in order.'),
    waits: z
      .array(
        z.object({
          channel: z.string().describe('One of `channels`.'),
          why: z.enum(WAITS_FOR).describe('Reason for holding it.'),
          until: z.iso.datetime().describe('When that ends, if it arrives now.'),
        })
      )
      .describe('Channels to which it would not be sent at once.'),
    steps: z
      .array(
        z.object({
          at: z.iso.datetime().describe('When the step is due, if it arrives now.'),
          to: z.string().describe('A channel, `on call: <schedule>` or `person: <login>`.'),
          people: z.array(z.string()).describe('Logins of the people who would be reached then.'),
          channels: z.array(z.string()).describe('Channels to which it would be sent then.'),
          nobody: z.string().optional().describe('Why nobody would be reached.'),
        })
      )
      .describe('Steps of escalations, until somebody acknowledges it.'),
  })
  .meta({ id: 'RouteTestResult', description: 'Which routes match, and why.' });
export type RouteTestResult = z.infer<typeof routeTestResultSchema>;
/** One comparison of a route with a notification. */
export type Comparison = RouteTestResult['routes'][number]['comparisons'][number];
