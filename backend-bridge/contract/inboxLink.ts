/**
 * The URL of an alert's thread in the inbox, for links in Grafana (docs/use-the-inbox.md, "Link to an alert"):
 * `inbox?fingerprint=…`, or `inbox?ruleUid=…&has=name=value&has=…`. The parameters are those of contract/origin.ts.
 */
import { urlValue } from './url.ts';

/** Path of the app in Grafana. */
export const APP_PATH = '/a/nodebell-notifications-app';

/** The annotation of a rule with the link. Grafana renders a value that begins with `http` as a link. */
export const INBOX_ANNOTATION = 'inbox_url';

/** In templates of rules, Grafana's URL ends with a slash (pkg/setting, parseAppUrlAndSubUrl). */
const INBOX = `{{ externalURL }}${APP_PATH.slice(1)}/inbox`;

/**
 * The link of any rule of Grafana, as a template: its uid and the labels of the alert that come from the query. `alertname`, the folder and
 * internal labels say nothing that the uid does not.
 */
export const ALERT_URL_TEMPLATE =
  `${INBOX}?ruleUid={{ $labels.__alert_rule_uid__ }}` +
  '{{ range $name, $value := removeLabelsRe $labels "^(__|alertname|grafana_folder)" }}' +
  '&has={{ urlquery $name "=" $value }}{{ end }}';

/** The link of a rule whose alerts are one thread, as a template. */
export const ruleUrlTemplate = (ruleUid: string): string => `${INBOX}?ruleUid=${urlValue(ruleUid)}`;
