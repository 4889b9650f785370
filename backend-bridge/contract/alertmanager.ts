/** Bodies of Alertmanager's API v2 (`api/v2/openapi.yaml` in its repository, version 0.28), as served at `/alertmanager/api/v2`. */
import { z } from 'zod';
import { boolean, component, list, object, objects, oneOf, string, time } from './schema.ts';
import { LIMITS } from './limits.ts';

/** Release of Alertmanager whose API this is: clients such as karma choose their dialect by it. */
export const ALERTMANAGER_VERSION = '0.28.0';

const labels = z.record(z.string(), z.string()).describe('Values by name.');

const isRegex = boolean('Whether the value is a regular expression (RE2, anchored).');
const isEqual = boolean('Whether it matches labels with this value, or all others.');
const matcher = z.object({
  name: string('Name of the label.'),
  value: string('Value of the label.'),
  isRegex,
  isEqual,
});
const startsAt = 'When it begins.';
const createdBy = 'Who creates it.';
const comment = 'Why.';
const receiver = object('Who receives the alerts.', { name: string('`nodebell`.') });
const ids = (description: string) => list(description, z.string());

export const amAlertSchema = component('AlertmanagerAlert', 'A firing alert.', {
  labels,
  annotations: labels,
  startsAt: time('Since when it fires.'),
  endsAt: time('When it resolves unless it is sent again.'),
  updatedAt: time('When it was sent last.'),
  generatorURL: string('Link to its rule, if it is a URL.').optional(),
  fingerprint: string('Identifies the labels, as Alertmanager does.'),
  receivers: list('Who receives it.', receiver),
  status: object('Whether it is sent, and why not.', {
    state: oneOf('`suppressed` while it is sent to no channel.', ['active', 'suppressed', 'unprocessed']),
    silencedBy: ids('Ids of silences.'),
    inhibitedBy: ids('Fingerprints of the alerts that inhibit it.'),
    mutedBy: ids('Names of maintenance windows.'),
  }),
});
export type AmAlert = z.infer<typeof amAlertSchema>;

export const amGroupSchema = component('AlertmanagerGroup', 'Firing alerts of one name.', {
  labels,
  receiver,
  alerts: list('Its alerts.', amAlertSchema),
});
export type AmGroup = z.infer<typeof amGroupSchema>;

export const amSilenceSchema = component('AlertmanagerSilence', 'A silence.', {
  id: string('Identifies it.'),
  status: object('Whether it is in effect.', {
    state: oneOf('`pending` before it begins.', ['active', 'pending', 'expired']),
  }),
  updatedAt: time('When it was changed last.'),
  matchers: list('All of them match the labels of a silenced alert.', matcher),
  startsAt: time(startsAt),
  endsAt: time('When it ends.'),
  createdBy: string(createdBy),
  comment: string(comment),
});
export type AmSilence = z.infer<typeof amSilenceSchema>;

const requestText = (bytes: number, description: string) => string(description).max(bytes);
/** Members as Alertmanager requires them; `isEqual` was added in its version 0.22. */
export const amSilenceBodySchema = component('AlertmanagerSilenceRequest', 'A silence to create or change.', {
  id: z.string().nullish().describe('Changes this silence.'),
  matchers: objects('All of them must match the labels of an alert.', {
    name: string('Name of the label.').min(1).max(LIMITS.matcherBytes.value),
    value: requestText(LIMITS.matcherBytes.value, 'Value of the label.'),
    isRegex,
    isEqual: isEqual.default(true),
  })
    .min(1)
    .max(LIMITS.matchers.value),
  startsAt: z.iso.datetime({ offset: true }).describe(startsAt),
  endsAt: z.iso.datetime({ offset: true }).describe('When it ends.'),
  createdBy: requestText(LIMITS.commentBytes.value, createdBy),
  comment: requestText(LIMITS.commentBytes.value, comment),
});
export type AmSilenceBody = z.infer<typeof amSilenceBodySchema>;

export const amSavedSchema = z
  .object({ silenceID: string('Identifies the silence.') })
  .meta({ id: 'AlertmanagerSilenceId' });

/** Alerts are validated one by one, since Alertmanager stores the valid ones of a request with invalid ones. */
export const amAlertsBodySchema = z.array(z.unknown()).max(LIMITS.openAlerts.value).meta({
  id: 'AlertmanagerAlerts',
  description: 'Alerts with `labels`, `annotations`, `startsAt`, `endsAt`, `generatorURL`.',
});

export const amStatusSchema = component(
  'AlertmanagerStatus',
  'State of the service, as of an Alertmanager that is not clustered.',
  {
    cluster: object('State of the cluster.', {
      name: string('Empty.'),
      status: oneOf('`disabled`: replicas share a database instead.', ['ready', 'settling', 'disabled']),
      peers: list('None.', z.never()),
    }),
    config: object('Configuration.', { original: string('Configuration in YAML, with one receiver.') }),
    uptime: time('When the bridge was started.'),
    versionInfo: object('Version.', {
      branch: string('`nodebell`.'),
      buildDate: string('Empty.'),
      buildUser: string('Version of the bridge.'),
      goVersion: string('Empty.'),
      revision: string('Empty.'),
      version: string('Release of Alertmanager whose API this is.'),
    }),
  }
);

export const amReceiversSchema = z.array(receiver);

const flag = z
  .enum(['true', 'false'])
  .default('true')
  .transform((value) => value === 'true');
const filter = list(
  'Matchers such as `severity="critical"`; all of them must match. May be repeated.',
  z.string()
).default([]);
const shown = {
  active: flag.describe('Alerts that are not suppressed.'),
  silenced: flag.describe('Silenced alerts.'),
  inhibited: flag.describe('Inhibited alerts.'),
  filter,
  receiver: string('Regular expression for the name of the receiver, which is `nodebell`.').optional(),
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
