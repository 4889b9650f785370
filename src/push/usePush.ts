import { locationUtil, urlUtil } from '@grafana/data';
import { config, locationService } from '@grafana/runtime';
import { useEffect } from 'react';
import { useBridgeEvents } from '../api/EventsProvider';
import { may } from '../api/permissions';
import { pathTo } from '../routes';
import { registration } from './subscription';
import type { OpenMessage, ShownData } from './worker/worker';

/** Tasks of pages for the notifications of this device: open clicked ones, close read ones, confirm the subscription. */
export function usePush(): void {
  useEffect(() => {
    const worker = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined;
    const onMessage = ({ data }: MessageEvent<Partial<OpenMessage> | null>) => {
      if (data?.type === 'nodebell-open') {
        open(data);
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

const isCurrent = (org: number | undefined): boolean => org === undefined || org === config.bootData.user.orgId;

function open({ id, org }: Partial<OpenMessage>): void {
  const path = id === undefined ? pathTo.inbox : pathTo.notification(id);
  if (isCurrent(org)) {
    locationService.push(path);
    return;
  }
  // Grafana changes the organization when it loads a page.
  window.location.assign(locationUtil.assureBaseUrl(urlUtil.appendQueryToUrl(path, `orgId=${org}`)));
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
  shown
    .filter((one) => {
      const { id = -1, org } = (one.data ?? {}) as ShownData;
      return isCurrent(org) && ids.includes(id);
    })
    .forEach((one) => one.close());
}
