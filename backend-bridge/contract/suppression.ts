/**
 * Maintenance windows and inhibition rules: what they select is stored, but sent to no channel while they are active. docs/channels.md.
 * Inhibition rules are those of Alertmanager: https://prometheus.io/docs/alerting/latest/configuration/#inhibition-related-settings
 */
import { z } from 'zod';
import { component, integer, list, nullable, objects, oneOf, rule, strictComponent, string } from './schema.ts';
import { quietHoursListSchema } from './hours.ts';
import { LIMITS } from './limits.ts';
import { type MatcherError, parseMatchers } from './matchers.ts';
import { fitsBytes, isStorable, STORABLE_TEXT } from './text.ts';

const MATCHERS = 'matchers such as instance="nas", severity!="critical"';

/** Matchers in Alertmanager's syntax. Their regular expressions are compiled by the bridge. */
export const matchersText = z
  .string({ error: MATCHERS })
  .max(LIMITS.matchersCharacters.value)
  .check(
    rule((text, refuse) => {
      try {
        if (parseMatchers(text).length === 0) {
          refuse([], MATCHERS);
        }
      } catch (error) {
        refuse([], `${MATCHERS}: ${(error as MatcherError).message.replace(/\.$/, '')}`);
      }
    })
  );

const name = z
  .string()
  .trim()
  .min(1)
  .refine((text) => fitsBytes(text, LIMITS.windowNameBytes.value), {
    error: `at most ${LIMITS.windowNameBytes.value} bytes of UTF-8`,
  })
  .refine(isStorable, { error: STORABLE_TEXT });
const time = z.iso.datetime({ offset: true, error: 'a time such as 2026-11-23T22:00:00+01:00' });

/** A maintenance window as it is requested: once, or each week. */
export const maintenanceBodySchema = z
  .strictObject({
    name: name.describe('Its reason, shown on what it suppresses.').meta({ examples: ['Backup of the NAS'] }),
    matchers: matchersText
      .describe(
        "All of them must match, in Alertmanager's syntax. `package`, `node`, `category` and `priority` are labels too, unless the notification has a label of that name."
      )
      .meta({ examples: ['instance="nas"'] }),
    startsAt: time.optional().describe('When it starts. With `weekly`: it is not active before.'),
    endsAt: time.optional().describe('When it ends. With `weekly`: it is not active afterwards.'),
    weekly: quietHoursListSchema.optional().describe('Hours in which it is active, each week.'),
  })
  .check(
    rule(({ startsAt, endsAt, weekly }, refuse) => {
      if (weekly?.length === 0) {
        refuse(['weekly'], 'a list of hours that is not empty');
      } else if (weekly === undefined && (startsAt === undefined || endsAt === undefined)) {
        refuse(['weekly'], 'hours of the week, or `startsAt` and `endsAt`');
      }
      if (startsAt !== undefined && endsAt !== undefined && Date.parse(startsAt) >= Date.parse(endsAt)) {
        refuse(['endsAt'], 'later than `startsAt`');
      }
    })
  )
  .meta({ id: 'MaintenanceRequest', description: 'A maintenance window.' });
export type MaintenanceBody = z.output<typeof maintenanceBodySchema>;

/** The request that leaves a window as it is. */
export const maintenanceBodyOf = ({
  name: of,
  matchers,
  startsAt,
  endsAt,
  weekly,
}: MaintenanceBody): MaintenanceBody => ({
  name: of,
  matchers,
  ...(startsAt !== undefined && { startsAt }),
  ...(endsAt !== undefined && { endsAt }),
  ...(weekly && { weekly }),
});

export const maintenanceSchema = component('Maintenance', 'A maintenance window.', {
  ...maintenanceBodySchema.shape,
  id: string('Assigned by the bridge.'),
  file: string('The provisioning file that has it. Absent: none.').optional(),
  by: string('Who changed it last; empty: unknown.'),
  updatedAt: z.iso.datetime().describe('When it was changed last.'),
  state: oneOf('Now.', ['active', 'pending', 'expired']),
  from: nullable('When it is active next, or has been since. Null: it has expired.', z.iso.datetime()),
  until: nullable('When that ends. Null: it has expired.', z.iso.datetime()),
  threads: integer('Number of threads that it suppresses now.'),
});
export type Maintenance = z.infer<typeof maintenanceSchema>;

const matcherList = z.array(matchersText).min(1).max(LIMITS.matchers.value);

/** An inhibition rule in Alertmanager's own form. */
export const inhibitRuleSchema = strictComponent(
  'InhibitRule',
  "An inhibition rule, as in Alertmanager's configuration.",
  {
    name: name.optional().describe('Shown in lists.'),
    source_matchers: matcherList.describe('An open thread with these labels inhibits others.'),
    target_matchers: matcherList.describe('Notifications with these labels are inhibited.'),
    equal: list(
      'Labels that must have the same value in both; an absent label is empty.',
      z.string().min(1).max(LIMITS.labelNameBytes.value)
    )
      .max(LIMITS.labels.value)
      .optional(),
  }
);
export type InhibitRule = z.output<typeof inhibitRuleSchema>;

/** An open critical thread of one package or node inhibits others. */
export const dependencySchema = z
  .strictObject({
    package: name.optional().describe('A package that depends on others.'),
    node: name.optional().describe('A node that depends on others; one of `package` and `node`.'),
    on: list(
      'While one of these has an open thread of priority critical, notifications of the other are inhibited.',
      z.strictObject({ package: name.optional().describe('A package.'), node: name.optional().describe('A node.') })
    )
      .min(1)
      .max(LIMITS.matchers.value),
  })
  .check(
    rule((value, refuse) =>
      [value, ...value.on].forEach((one, index) => {
        if ((one.package === undefined) === (one.node === undefined)) {
          refuse(index === 0 ? [] : ['on', index - 1], 'an object with one of "package" and "node"');
        }
      })
    )
  )
  .meta({ id: 'Dependency', description: 'A package or node that depends on others.' });
export type Dependency = z.output<typeof dependencySchema>;

export const suppressionsSchema = component('Suppressions', 'Maintenance windows and inhibition rules.', {
  windows: list('Active ones that end first, those to come, then expired ones.', maintenanceSchema),
  rules: objects('Inhibition rules of provisioning files, with the number of threads that each inhibits now.', {
    ...inhibitRuleSchema.shape,
    file: string('Its provisioning file.'),
    threads: integer('Threads that it inhibits now.'),
  }),
});
export type Suppressions = z.infer<typeof suppressionsSchema>;
