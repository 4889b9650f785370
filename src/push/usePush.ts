import { locationService } from '@grafana/runtime';
import { useEffect } from 'react';
import { useBridgeEvents } from '../api/EventsProvider';
import { may } from '../components/access';
import { pathTo } from '../routes';
import { registration } from './subscription';
import type { OpenMessage, ShownData } from './worker/worker';

/** What pages do for the notifications of this device: open what was clicked, close what was read, confirm the subscription. */
export function usePush(): void {
  useEffect(() => {
    const worker = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined;
    const onMessage = ({ data }: MessageEvent<Partial<OpenMessage> | null>) => {
      if (data?.type === 'nodebell-open') {
        locationService.push(data.id === undefined ? pathTo.inbox : pathTo.notification(data.id));
      }
    };
    worker?.addEventListener('message', onMessage);
    worker?.startMessages();
    void confirmDaily();
    return () => worker?.removeEventListener('message', onMessage);
  }, []);

  useBridgeEvents(({ type, data }) => {
    if (type === 'read' && data.read && data.ids) {
      void closeShown(data.ids);
    }
  });
}

/** Only in browsers with a worker: all others load nothing. */
async function confirmDaily(): Promise<void> {
  if (may('push:own') && (await registration())) {
    const { confirmDevice } = await import(/* webpackChunkName: "push" */ './confirmDevice');
    await confirmDevice().catch(() => undefined);
  }
}

async function closeShown(ids: readonly number[]): Promise<void> {
  const shown = (await (await registration())?.getNotifications()) ?? [];
  shown.filter((one) => ids.includes((one.data as ShownData | null)?.id ?? -1)).forEach((one) => one.close());
}
