/** Bodies of Alertmanager's API v2 (`api/v2/openapi.yaml` in its repository, version 0.28), as served at `/alertmanager/api/v2`. */
import { z } from 'zod';
import { LIMITS } from './limits.ts';

/** Release of Alertmanager whose API this is: clients such as karma choose their dialect by it. */
export const ALERTMANAGER_VERSION = '0.28.0';

const labels = z.record(z.string(), z.string()).describe('Values by name.');
const time = (description: string) => z.iso.datetime().describe(description);
const text = (description: string) => z.string().describe(description);

const isRegex = z.boolean().describe('Whether the value is a regular expression (RE2, anchored).');
const isEqual = z.boolean().describe('Whether it matches labels with this value, or all others.');
const matcher = z.object({ name: text('Name of the label.'), value: text('Value of the label.'), isRegex, isEqual });
const startsAt = 'When it begins.';
const createdBy = 'Who creates it.';
const comment = 'Why.';
const receiver = z.object({ name: text('`nodebell`.') }).describe('Who receives the alerts.');
const ids = (description: string) => z.array(z.string()).describe(description);

export const amAlertSchema = z
  .object({
    labels,
    annotations: labels,
    startsAt: time('Since when it fires.'),
    endsAt: time('When it resolves unless it is sent again.'),
    updatedAt: time('When it was sent last.'),
    generatorURL: text('Link to its rule, if it is a URL.').optional(),
    fingerprint: z.string().describe('Identifies the labels, as Alertmanager does.'),
    receivers: z.array(receiver).describe('Who receives it.'),
    status: z
      .object({
        state: z.enum(['active', 'suppressed', 'unprocessed']).describe('`suppressed` while it is sent to no channel.'),
        silencedBy: ids('Ids of silences.'),
        inhibitedBy: ids('Fingerprints of the alerts that inhibit it.'),
        mutedBy: ids('Names of maintenance windows.'),
      })
      .describe('Whether it is sent, and why not.'),
  })
  .meta({ id: 'AlertmanagerAlert', description: 'A firing alert.' });
export type AmAlert = z.infer<typeof amAlertSchema>;

export const amGroupSchema = z
  .object({
    labels,
    receiver,
    alerts: z.array(amAlertSchema).describe('Its alerts.'),
  })
  .meta({ id: 'AlertmanagerGroup', description: 'Firing alerts of one name.' });
export type AmGroup = z.infer<typeof amGroupSchema>;

export const amSilenceSchema = z
  .object({
    id: text('Identifies it.'),
    status: z
      .object({ state: z.enum(['active', 'pending', 'expired']).describe('`pending` before it begins.') })
      .describe('Whether it is in effect.'),
    updatedAt: time('When it was changed last.'),
    matchers: z.array(matcher).describe('All of them match the labels of a silenced alert.'),
    startsAt: time(startsAt),
    endsAt: time('When it ends.'),
    createdBy: text(createdBy),
    comment: text(comment),
  })
  .meta({ id: 'AlertmanagerSilence', description: 'A silence.' });
export type AmSilence = z.infer<typeof amSilenceSchema>;

const requestText = (bytes: number, description: string) => z.string().max(bytes).describe(description);
/** Members as Alertmanager requires them; `isEqual` was added in its version 0.22. */
export const amSilenceBodySchema = z
  .object({
    id: z.string().nullish().describe('Changes this silence.'),
    matchers: z
      .array(
        z.object({
          name: z.string().min(1).max(LIMITS.matcherBytes.value).describe('Name of the label.'),
          value: requestText(LIMITS.matcherBytes.value, 'Value of the label.'),
          isRegex,
          isEqual: isEqual.default(true),
        })
      )
      .min(1)
      .max(LIMITS.matchers.value)
      .describe('All of them must match the labels of an alert.'),
    startsAt: z.iso.datetime({ offset: true }).describe(startsAt),
    endsAt: z.iso.datetime({ offset: true }).describe('When it ends.'),
    createdBy: requestText(LIMITS.commentBytes.value, createdBy),
    comment: requestText(LIMITS.commentBytes.value, comment),
  })
  .meta({ id: 'AlertmanagerSilenceRequest', description: 'A silence to create or change.' });
export type AmSilenceBody = z.infer<typeof amSilenceBodySchema>;

export const amSavedSchema = z
  .object({ silenceID: text('Identifies the silence.') })
  .meta({ id: 'AlertmanagerSilenceId' });

/** Alerts are validated one by one, since Alertmanager stores the valid ones of a request with invalid ones. */
export const amAlertsBodySchema = z.array(z.unknown()).max(LIMITS.openAlerts.value).meta({
  id: 'AlertmanagerAlerts',
  description: 'Alerts with `labels`, `annotations`, `startsAt`, `endsAt`, `generatorURL`.',
});

export const amStatusSchema = z
  .object({
    cluster: z
      .object({
        name: text('Empty.'),
        status: z.enum(['ready', 'settling', 'disabled']).describe('`disabled`: replicas share a database instead.'),
        peers: z.array(z.never()).describe('None.'),
      })
      .describe('State of the cluster.'),
    config: z.object({ original: text('Configuration in YAML, with one receiver.') }).describe('Configuration.'),
    uptime: time('When the bridge was started.'),
    versionInfo: z
      .object({
        branch: text('`nodebell`.'),
        buildDate: text('Empty.'),
        buildUser: text('Version of the bridge.'),
        goVersion: text('Empty.'),
        revision: text('Empty.'),
        version: text('Release of Alertmanager whose API this is.'),
      })
      .describe('Version.'),
  })
  .meta({
    id: 'AlertmanagerStatus',
    description: 'State of the service, as of an Alertmanager that is not clustered.',
  });

export const amReceiversSchema = z.array(receiver);

const flag = z
  .enum(['true', 'false'])
  .default('true')
  .transform((value) => value === 'true');
const filter = z
  .array(z.string())
  .default([])
  .describe('Matchers such as `severity="critical"`; all of them must match. May be repeated.');
const shown = {
  active: flag.describe('Alerts that are not suppressed.'),
  silenced: flag.describe('Silenced alerts.'),
  inhibited: flag.describe('Inhibited alerts.'),
  filter,
  receiver: z.string().optional().describe('Regular expression for the name of the receiver, which is `nodebell`.'),
};
export const amAlertsQuerySchema = z.object({
  ...shown,
  unprocessed: flag.describe('Alerts not processed yet, of which there are none.'),
});
export const amGroupsQuerySchema = z.object({
  ...shown,
  muted: flag.describe('Groups muted by time; the alerts of maintenance windows are shown.'),
});
export type AmAlertsQuery = Omit<z.output<typeof amAlertsQuerySchema>, 'unprocessed'>;
export const amSilencesQuerySchema = z.object({ filter });
