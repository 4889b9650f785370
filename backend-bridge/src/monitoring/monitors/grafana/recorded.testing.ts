/**
 * Answers of Grafana's provisioning API: members, their order and types as they were recorded; texts and numbers are ours.
 *
 * - {@link CREATED}: the 201 to `POST /api/v1/provisioning/alert-rules` in Grafana's documentation (alerting_provisioning.md, "Example
 *   Response", recorded with 11.2 in August 2024), with `keep_firing_for` where 12 has it (ProvisionedAlertRule in
 *   pkg/services/ngalert/api/tooling/definitions/provisioning_alert_rules.go).
 * - {@link NOT_IN_10}: against the response of `GET /api/v1/provisioning/alert-rules/{UID}` to the author of grafana/grafana#73236 (10.0).
 * - {@link CONTACT_POINTS}: the 200 to `GET /api/v1/provisioning/contact-points` in the same documentation.
 */

export const CREATED = {
  id: 1,
  uid: 'a-uid',
  orgID: 1,
  folderUID: 'a-folder',
  ruleGroup: 'a group',
  title: 'a title',
  condition: 'B',
  data: [
    {
      refId: 'A',
      queryType: '',
      relativeTimeRange: { from: 600, to: 0 },
      datasourceUid: 'a-source',
      model: { expr: 'up', hide: false, intervalMs: 1000, maxDataPoints: 43_200, refId: 'A' },
    },
    {
      refId: 'B',
      queryType: '',
      relativeTimeRange: { from: 0, to: 0 },
      datasourceUid: '__expr__',
      model: {
        conditions: [{ evaluator: { params: [6], type: 'gt' } }],
        datasource: { type: '__expr__', uid: '__expr__' },
        hide: false,
        intervalMs: 1000,
        maxDataPoints: 43_200,
        refId: 'B',
        type: 'threshold',
      },
    },
  ],
  updated: '2024-08-02T13:19:32.609640048Z',
  noDataState: 'OK',
  execErrState: 'OK',
  for: '5m',
  keep_firing_for: '0s',
  annotations: { summary: 'a summary' },
  labels: { a: 'label' },
  provenance: 'api',
  isPaused: false,
  notification_settings: null,
  record: null,
};

/** Members that later versions and other ways of writing add, one by one. */
export const ADDITIONS: Record<string, object> = {
  'of 12.1': { missingSeriesEvalsToResolve: 2 },
  'where somebody lets it fire on': { keep_firing_for: '5m' },
  'of a stranger that comes later': { guid: '3f1c', version: 4, updated_by: { uid: 'u', name: 'n' } },
};

/** Members that 10.0 has not and that we do not send: whoever reads must not want them. */
export const NOT_IN_10 = ['keep_firing_for', 'record'] as const;

export const CONTACT_POINTS = [
  { uid: '', name: 'a name', type: 'email', settings: { addresses: '<a@example.org>' }, disableResolveMessage: false },
];
