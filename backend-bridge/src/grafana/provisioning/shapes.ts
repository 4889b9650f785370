/**
 * The shapes of Grafana's own provisioning files, version 1, as Grafana 12.4 to 13 reads them. Members that it does not know are
 * ignored by Grafana; they are told apart from these shapes (unknown.ts), since most of them are slips of the pen.
 */
import { z } from 'zod';
import { anything, duration, name, text, texts, uid, whole, word, yesNo } from './values.ts';

/** Where an organisation is named. */
const org = { orgId: whole.optional() };
const version = { apiVersion: word('1') };

export const appsSchema = z.object({
  ...version,
  apps: z
    .array(
      z.object({
        type: name,
        org_id: whole.optional(),
        org_name: text.optional(),
        disabled: yesNo.optional(),
        jsonData: anything.optional(),
        secureJsonData: texts.optional(),
      })
    )
    .nullish(),
});

export const datasourcesSchema = z.object({
  ...version,
  prune: yesNo.optional(),
  datasources: z
    .array(
      z.object({
        ...org,
        orgName: text.optional(),
        name,
        type: name,
        uid: uid.optional(),
        access: word('proxy', 'direct').optional(),
        url: text.optional(),
        user: text.optional(),
        database: text.optional(),
        basicAuth: yesNo.optional(),
        basicAuthUser: text.optional(),
        withCredentials: yesNo.optional(),
        isDefault: yesNo.optional(),
        correlations: z.array(anything).optional(),
        jsonData: anything.optional(),
        secureJsonData: texts.optional(),
        version: whole.optional(),
        editable: yesNo.optional(),
      })
    )
    .nullish(),
  deleteDatasources: z.array(z.object({ ...org, orgName: text.optional(), name })).nullish(),
});

export const providersSchema = z.object({
  ...version,
  providers: z
    .array(
      z.object({
        ...org,
        orgName: text.optional(),
        name,
        type: word('file').optional(),
        folder: text.optional(),
        folderUid: uid.optional(),
        disableDeletion: yesNo.optional(),
        allowUiUpdates: yesNo.optional(),
        editable: yesNo.optional(),
        updateIntervalSeconds: whole.optional(),
        options: z.object({ path: name, foldersFromFilesStructure: yesNo.optional() }),
      })
    )
    .nullish(),
});

const notificationSettings = z.object({
  receiver: name,
  group_by: z.array(name).optional(),
  group_wait: duration.optional(),
  group_interval: duration.optional(),
  repeat_interval: duration.optional(),
  mute_time_intervals: z.array(name).optional(),
  active_time_intervals: z.array(name).optional(),
});

const query = z.object({
  refId: name,
  queryType: text.optional(),
  relativeTimeRange: z.object({ from: whole.optional(), to: whole.optional() }).optional(),
  datasourceUid: name,
  model: anything,
});
export type Query = z.infer<typeof query>;

const rule = z.object({
  uid,
  title: name,
  condition: name.optional(),
  data: z.array(query).min(1),
  dashboardUid: uid.optional(),
  panelId: whole.optional(),
  noDataState: word('Alerting', 'NoData', 'OK', 'KeepLast').optional(),
  execErrState: word('Alerting', 'Error', 'OK', 'KeepLast').optional(),
  for: duration.optional(),
  keepFiringFor: duration.optional(),
  missing_series_evals_to_resolve: whole.optional(),
  annotations: texts.optional(),
  labels: texts.optional(),
  isPaused: yesNo.optional(),
  notification_settings: notificationSettings.optional(),
  record: z.object({ metric: name, from: name, targetDatasourceUid: text.optional() }).optional(),
});
export type Rule = z.infer<typeof rule>;

const receiver = z.object({
  uid,
  type: name,
  disableResolveMessage: yesNo.optional(),
  settings: anything,
});
export type Receiver = z.infer<typeof receiver>;

export const alertingSchema = z.object({
  ...version,
  groups: z
    .array(z.object({ ...org, name, folder: name, interval: duration, rules: z.array(rule).optional() }))
    .nullish(),
  deleteRules: z.array(z.object({ ...org, uid })).nullish(),
  contactPoints: z.array(z.object({ ...org, name, receivers: z.array(receiver).min(1) })).nullish(),
  deleteContactPoints: z.array(z.object({ ...org, uid })).nullish(),
  policies: z.array(anything).nullish(),
  resetPolicies: z.array(whole).nullish(),
  templates: z.array(z.object({ ...org, name, template: name })).nullish(),
  deleteTemplates: z.array(z.object({ ...org, name })).nullish(),
  muteTimes: z.array(anything).nullish(),
  deleteMuteTimes: z.array(z.object({ ...org, name })).nullish(),
});

/** Settings of a contact point of the type webhook. */
export const webhookSchema = z.object({
  url: name,
  httpMethod: word('POST', 'PUT').optional(),
  username: text.optional(),
  password: text.optional(),
  authorization_scheme: text.optional(),
  authorization_credentials: text.optional(),
  headers: texts.optional(),
  maxAlerts: whole.optional(),
  title: text.optional(),
  message: text.optional(),
  payload: anything.optional(),
  tlsConfig: anything.optional(),
  hmacConfig: z.object({ secret: text, header: text.optional(), timestampHeader: text.optional() }).optional(),
  http_config: anything.optional(),
});

/** The members of a dashboard that are judged; it has many more. */
export const dashboardSchema = z.looseObject({
  uid,
  title: name,
  schemaVersion: whole,
  panels: z
    .array(
      z.looseObject({
        id: whole.optional(),
        type: name,
        gridPos: z.looseObject({ x: whole, y: whole, w: whole, h: whole }),
        panels: z.array(z.looseObject({ id: whole.optional(), type: name })).optional(),
      })
    )
    .optional(),
  templating: z.looseObject({ list: z.array(z.looseObject({ name, type: name })).optional() }).optional(),
});
export type DashboardFile = z.infer<typeof dashboardSchema>;
