import { PluginPage } from '@grafana/runtime';
import { EventsProvider } from '../bridge/EventsProvider';
import { useBridgeUrl } from '../bridge/settings';
import { Inbox } from './Inbox';
import { NotSetUp } from '../parts/NotSetUp';

export default function InboxPage() {
  const bridgeUrl = useBridgeUrl();
  return bridgeUrl ? (
    <EventsProvider>
      <Inbox bridgeUrl={bridgeUrl} />
    </EventsProvider>
  ) : (
    <PluginPage>
      <NotSetUp />
    </PluginPage>
  );
}
