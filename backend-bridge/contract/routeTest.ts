/** The test of routes: POST /routes/test. */
import { z } from 'zod';
import { boolean, component, list, objects, oneOf, strictComponent, string, time } from './schema.ts';
import { placedRouteSchema, WAITS_FOR } from './channel.ts';
import { text } from './channelTypes/descriptor.ts';
import { labelsSchema } from './labels.ts';
import { nodePathSchema, PRIORITIES, STATUSES } from './notification.ts';

/** Fields that routes compare; the defaults are those of a notification. */
export const routeTestBodySchema = strictComponent('RouteTest', 'The notification for which routes are tested.', {
  category: text(1024).optional().describe('Its category.').meta({ default: 'other' }),
  dnpName: text(200).optional().describe('Its package.').meta({ default: 'unknown' }),
  priority: oneOf('Its priority.', PRIORITIES, { default: 'low' }).optional(),
  status: oneOf('Its status.', STATUSES, { default: 'triggered' }).optional(),
  node: nodePathSchema.optional().describe('Its node. Default: none.'),
  labels: labelsSchema.optional().describe('Its labels. Default: none.'),
});

/** Fields that routes compare. */
const COMPARED = ['priority', 'category', 'package', 'status', 'node', 'labels'] as const;

export const routeTestResultSchema = component('RouteTestResult', 'Which routes match, and why.', {
  channels: list('Channels to which it would be sent, steps after the first left out.', z.string()),
  routes: list(
    'All routes, in order.',
    placedRouteSchema.extend({
      matches: boolean('Whether it matches.'),
      reached: boolean('False: a route before it matched, without `continue`.'),
      why: list('Each comparison, in words.', z.string()),
      comparisons: objects('The reasons as data; empty: the route matches every notification.', {
        what: oneOf('Compared field.', COMPARED),
        found: string('Value of the notification; empty: none.'),
        allowed: list('Values of the route: one of these; for the priority, at least this one.', z.string()),
        holds: boolean('Whether it matches.'),
      }),
    })
  ),
  waits: objects('Channels to which it would not be sent at once.', {
    channel: string('One of `channels`.'),
    why: oneOf('Reason for holding it.', WAITS_FOR),
    until: time('When that ends, if it arrives now.'),
  }),
  steps: objects('Steps of escalations, until somebody acknowledges it.', {
    at: time('When the step is due, if it arrives now.'),
    to: string('A channel, `on call: <schedule>` or `person: <login>`.'),
    people: list('Logins of the people who would be reached then.', z.string()),
    channels: list('Channels to which it would be sent then.', z.string()),
    nobody: string('Why nobody would be reached.').optional(),
  }),
});
export type RouteTestResult = z.infer<typeof routeTestResultSchema>;
/** One comparison of a route with a notification. */
export type Comparison = RouteTestResult['routes'][number]['comparisons'][number];
