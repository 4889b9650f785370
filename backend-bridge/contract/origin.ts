/** Lookup of the notification for an alert, a rule or a panel: Grafana's pages know the latter. */
import { z } from 'zod';
import { notificationSchema } from './notification.ts';

/** Number of the newest notifications that are searched. Older ones are not, and the response says so. */
export const ORIGIN_REACH = 20_000;

const ONE_OF = ['label', 'fingerprint', 'ruleUid', 'panel'] as const;

const labels = z
  .array(
    z
      .string()
      .max(2000)
      .regex(/^[^=]+=/s, 'a label as name=value')
  )
  .max(100)
  .optional();

export const originQuerySchema = z
  .strictObject({
    label: labels
      .describe(
        'A label of the alert as `name=value`, repeatable. All of them must be given; internal ones do not count.'
      )
      .meta({ examples: [['alertname=DiskFull', 'instance=node1']] }),
    fingerprint: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('The fingerprint of an alert of Grafana or Alertmanager.')
      .meta({ examples: ['c6eadffa33fcdf37'] }),
    ruleUid: z
      .array(z.string().min(1).max(100))
      .max(20)
      .optional()
      .describe("The uid of one of Grafana's rules. Repeatable."),
    has: labels
      .describe('With `ruleUid`: only alerts with this label, `name=value`, among others. Repeatable.')
      .meta({ examples: [['instance=node1']] }),
    panel: z
      .string()
      .regex(/^[\w-]{1,100}\/\d{1,15}$/, 'the uid of a dashboard, a slash and the number of a panel')
      .optional()
      .describe('The uid of a dashboard and the number of a panel on it.')
      .meta({ examples: ['node-overview/4'] }),
  })
  .refine((query) => ONE_OF.some((name) => query[name] !== undefined), {
    message: 'at least one of "label", "fingerprint", "ruleUid" and "panel"',
  })
  .refine(({ has, ruleUid }) => has === undefined || ruleUid !== undefined, {
    message: 'only with "ruleUid"',
    path: ['has'],
  });

/** Known facts about an origin; one that matches is enough. An alert must have all labels, one of a rule all of `has`. */
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
