import type { DataLink, PanelProps, TimeRange } from '@grafana/data';
import type { Notification } from '@nodebell/contract/notification.ts';
import { PanelShell } from '../../components/Panel';
import { CompactInbox } from '../../inbox/compact/CompactInbox';
import { toFilters, toView, type Range, type Replace } from './filters';
import { readOptions, type InboxPanelOptions } from './options';

/** Dashboard panel: notifications, filtered by the dashboard's time range and variables. */
export function InboxPanel(props: PanelProps<InboxPanelOptions>) {
  return (
    <PanelShell>
      <Notifications {...props} options={readOptions(props.options)} />
    </PanelShell>
  );
}

function Notifications({ options, timeRange, width, fieldConfig, replaceVariables }: PanelProps<InboxPanelOptions>) {
  const replace = replaceVariables as Replace;
  const linksOf = (notification: Notification): DataLink[] =>
    (fieldConfig.defaults.links ?? []).map((link) => ({
      ...link,
      title: replaceVariables(link.title, scoped(notification)) || link.url,
      url: replaceVariables(link.url, scoped(notification)),
    }));
  return (
    <CompactInbox
      // Not memoized: when a variable changes, Grafana rerenders the panel with the same function.
      filters={toFilters(options, toRange(timeRange), replace)}
      limit={options.limit}
      view={toView(options, replace)}
      inRange={options.timeRange}
      {...{ width, linksOf }}
    />
  );
}

/** Variables such as `${notification.dnpName}` in data links. */
const scoped = (notification: Notification) => ({ notification: { text: notification.title, value: notification } });

function toRange({ from, to, raw }: TimeRange): Range {
  return { from: from.toISOString(), ...(raw.to !== 'now' && { to: to.toISOString() }) };
}
