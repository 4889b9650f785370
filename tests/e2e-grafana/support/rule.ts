/** A rule of Grafana Alerting that needs no data source: its one expression compares two numbers. Pure. */
import { ALERT_URL_TEMPLATE, INBOX_ANNOTATION } from '../../../backend-bridge/contract/inboxLink.ts';

export interface RuleOptions {
  uid: string;
  title: string;
  folder: string;
  group: string;
  /** Whether it is to be true at every evaluation, or at none. */
  firing: boolean;
  /** Default: by the notification policies. */
  contactPoint?: string;
}

export type ManagedRule = ReturnType<typeof mathRule>;

/** A rule for the provisioning API. Sent at once and again after ten seconds, where Grafana's default is minutes. */
export function mathRule({ uid, title, folder, group, firing, contactPoint }: RuleOptions) {
  return {
    uid,
    title,
    folderUID: folder,
    ruleGroup: group,
    condition: 'A',
    data: [
      {
        refId: 'A',
        queryType: '',
        relativeTimeRange: { from: 600, to: 0 },
        datasourceUid: '__expr__',
        model: {
          refId: 'A',
          type: 'math',
          expression: firing ? '2 + 3 > 1' : '2 + 3 > 10',
          datasource: { type: '__expr__', uid: '__expr__' },
        },
      },
    ],
    noDataState: 'OK',
    execErrState: 'Error',
    for: '0s',
    isPaused: false,
    labels: { category: 'hardware', dnpName: 'node', severity: 'high' },
    annotations: { summary: title, description: 'Sent by a test.', [INBOX_ANNOTATION]: ALERT_URL_TEMPLATE },
    ...(contactPoint && {
      notification_settings: {
        receiver: contactPoint,
        group_by: ['grafana_folder', 'alertname'],
        group_wait: '1s',
        group_interval: '10s',
        repeat_interval: '1h',
      },
    }),
  };
}
