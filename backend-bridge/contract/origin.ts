/** Lookup of the notification for an alert, a rule or a panel: Grafana's pages know the latter. */
import { z } from 'zod';
import { boolean, component, list, nullable, string } from './schema.ts';
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
    fingerprint: string('The fingerprint of an alert of Grafana or Alertmanager.', { examples: ['c6eadffa33fcdf37'] })
      .min(1)
      .max(200)
      .optional(),
    ruleUid: list("The uid of one of Grafana's rules. Repeatable.", z.string().min(1).max(100)).max(20).optional(),
    has: labels
      .describe('With `ruleUid`: only alerts with this label, `name=value`, among others. Repeatable.')
      .meta({ examples: [['instance=node1']] }),
    panel: string('The uid of a dashboard and the number of a panel on it.', { examples: ['node-overview/4'] })
      .regex(/^[\w-]{1,100}\/\d{1,15}$/, 'the uid of a dashboard, a slash and the number of a panel')
      .optional(),
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

export const originSchema = component('Origin', 'The notification of an alert, a rule or a panel.', {
  notification: notificationSchema.nullable().describe('The newest notification; null if none was found.'),
  complete: boolean(`Whether all notifications were searched; otherwise only the newest ${ORIGIN_REACH}.`),
  since: nullable('Time of the oldest notification searched; null: there is none.', z.iso.datetime()),
});
export type Origin = z.infer<typeof originSchema>;
