/** Lookup of the notification for an alert, a rule or a panel: Grafana's pages know the latter. */
import { z } from 'zod';
import { notificationSchema } from './notification.ts';

/** Number of the newest notifications that are searched. Older ones are not, and the response says so. */
export const ORIGIN_REACH = 20_000;

const ONE_OF = ['label', 'ruleUid', 'panel'] as const;

export const originQuerySchema = z
  .strictObject({
    label: z
      .array(
        z
          .string()
          .max(2000)
          .regex(/^[^=]+=/s, 'a label as name=value')
      )
      .max(100)
      .optional()
      .describe(
        'A label of the alert as `name=value`, repeatable. All of them must be given; internal ones do not count.'
      )
      .meta({ examples: [['alertname=DiskFull', 'instance=node1']] }),
    ruleUid: z
      .array(z.string().min(1).max(100))
      .max(20)
      .optional()
      .describe("The uid of one of Grafana's rules. Repeatable."),
    panel: z
      .string()
      .regex(/^[\w-]{1,100}\/\d{1,15}$/, 'the uid of a dashboard, a slash and the number of a panel')
      .optional()
      .describe('The uid of a dashboard and the number of a panel on it.')
      .meta({ examples: ['node-overview/4'] }),
  })
  .refine((query) => ONE_OF.some((name) => query[name] !== undefined), {
    message: 'at least one of "label", "ruleUid" and "panel"',
  });

/** Known facts about an origin. An alert must have all labels; a rule or a panel must be one of those named. */
export type OriginQuery = z.output<typeof originQuerySchema>;

export const originSchema = z
  .object({
    notification: notificationSchema.nullable().describe('The newest notification; null if none was found.'),
    complete: z
      .boolean()
      .describe(`Whether all notifications were searched; otherwise only the newest ${ORIGIN_REACH}.`),
    since: z.iso.datetime().nullable().describe('Time of the oldest notification searched; null: there is none.'),
  })
  .meta({ id: 'Origin', description: 'The notification of an alert, a rule or a panel.' });
export type Origin = z.infer<typeof originSchema>;
