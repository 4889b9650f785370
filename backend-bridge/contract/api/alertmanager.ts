/** Operations: Alertmanager's API v2. Prometheus and others send to it without an Alertmanager; amtool, karma and Grafana use its silences. */
import {
  amAlertSchema,
  amAlertsBodySchema,
  amAlertsQuerySchema,
  amGroupSchema,
  amGroupsQuerySchema,
  amReceiversSchema,
  amSavedSchema,
  amSilenceBodySchema,
  amSilenceSchema,
  amSilencesQuerySchema,
  amStatusSchema,
} from '../alertmanager.ts';
import { LIMITS } from '../limits.ts';
import { NOT_PROXIED, alertmanager, empty, json, ok, operations, segment } from '../operation.ts';

const ALERTS = { limit: LIMITS.webhookBodyBytes.value, elements: LIMITS.webhookBodyElements.value };
const ID = { silenceID: segment('Id of the silence.') };

export const ALERTMANAGER = operations('Alertmanager', {
  amStatus: alertmanager.get('/status', NOT_PROXIED, {
    summary: 'State of the service, and its version',
    reply: ok('The state.', () => amStatusSchema),
  }),
  amReceivers: alertmanager.get('/receivers', NOT_PROXIED, {
    summary: 'List receivers: there is one',
    reply: ok('The receivers.', () => amReceiversSchema),
  }),
  amAlerts: alertmanager.get('/alerts', NOT_PROXIED, {
    summary: 'List firing alerts',
    query: () => amAlertsQuerySchema,
    reply: ok('The alerts.', () => amAlertSchema.array()),
  }),
  amPostAlerts: alertmanager.post('/alerts', NOT_PROXIED, {
    access: 'sender',
    summary: 'Receive alerts: new and resolved ones become notifications, those that are sent again change nothing',
    body: json(() => amAlertsBodySchema, { limits: ALERTS }),
    reply: empty('All alerts were received.'),
    problems: [429],
  }),
  amAlertGroups: alertmanager.get('/alerts/groups', NOT_PROXIED, {
    summary: 'List firing alerts by name',
    query: () => amGroupsQuerySchema,
    reply: ok('The groups.', () => amGroupSchema.array()),
  }),
  amSilences: alertmanager.get('/silences', NOT_PROXIED, {
    summary: 'List silences, also those that expired in the last five days',
    query: () => amSilencesQuerySchema,
    reply: ok('The silences.', () => amSilenceSchema.array()),
  }),
  amSaveSilence: alertmanager.post('/silences', NOT_PROXIED, {
    summary: 'Create or change a silence',
    body: json(() => amSilenceBodySchema),
    reply: ok('Its id.', () => amSavedSchema),
    problems: [404],
  }),
  amSilence: alertmanager.get('/silence/{silenceID}', NOT_PROXIED, {
    summary: 'One silence',
    params: ID,
    reply: ok('The silence.', () => amSilenceSchema),
    problems: [404],
  }),
  amEndSilence: alertmanager.del('/silence/{silenceID}', NOT_PROXIED, {
    summary: 'End a silence',
    params: ID,
    reply: empty('It has ended.'),
    problems: [404],
  }),
});
