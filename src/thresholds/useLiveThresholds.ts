import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { EndpointOverview } from '@nodebell/contract/endpoint.ts';
import { useBridgeEvents } from '../api/EventsProvider';
import { toBridgeError } from '../api/errors';
import { categoriesQuery } from '../inbox/queries';
import { throttle, useRetry } from '../components/timers';
import { dropPackage, putPackage } from './overview';
import { overviewQuery, packageQuery } from './queries';

/** A monitor that comes back may apply hundreds of settings at once. */
const REFRESH_EVERY_MS = 300;
/** When so many packages have changed, one question for all of them costs less than one for each. */
const MANY = 5;

/**
 * Keeps the overview in step with the bridge: asks again for the packages that it says have changed, and every ten seconds while it
 * cannot say so.
 * @param failed whether the last question was not answered
 */
export function useLiveThresholds(failed: boolean) {
  const client = useQueryClient();
  const refresh = useMemo(() => refresher(client), [client]);
  useEffect(() => refresh.cancel, [refresh]);

  const status = useBridgeEvents((event) => {
    if (event.type === 'settings' && event.data.dnpName !== undefined) {
      refresh.one(event.data.dnpName);
    } else if (event.type === 'settings' || event.type === 'packages' || event.type === 'reset') {
      refresh.all();
    }
  });
  // What happened between the first load and the opening of the stream, or while it was cut, is asked for once.
  useEffect(() => {
    if (status !== 'connecting') {
      refresh.all();
    }
  }, [status, refresh]);
  return { cut: status === 'cut', ...useRetry(failed || status === 'cut', refresh.all) };
}

/** Asks for one package after the other, or for all of them at once, and never in haste. */
function refresher(client: QueryClient) {
  const changed = new Set<string>();
  const all = throttle(() => reloadAll(client), REFRESH_EVERY_MS);
  const some = throttle(() => {
    const names = [...changed];
    changed.clear();
    if (names.length > MANY) {
      all();
    } else {
      names.forEach((name) => void reloadPackage(client, name));
    }
  }, REFRESH_EVERY_MS);
  return {
    all,
    one: (dnpName: string) => {
      changed.add(dnpName);
      some();
    },
    cancel: () => [all, some].forEach((timer) => timer.cancel()),
  };
}

function reloadAll(client: QueryClient) {
  void client.invalidateQueries({ queryKey: overviewQuery().queryKey });
  void client.invalidateQueries({ queryKey: categoriesQuery().queryKey });
}

async function reloadPackage(client: QueryClient, dnpName: string) {
  const put = (change: (overview: EndpointOverview) => EndpointOverview) =>
    client.setQueryData(overviewQuery().queryKey, (overview) => overview && change(overview));
  const query = packageQuery(dnpName);
  try {
    // One that is under way was asked before the latest change.
    await client.cancelQueries({ queryKey: query.queryKey });
    const one = await client.query(query);
    put((overview) => putPackage(overview, one));
  } catch (thrown) {
    // Anything else is told by the next question for all of them.
    if (toBridgeError(thrown).kind === 'not-found') {
      put((overview) => dropPackage(overview, dnpName));
    }
  }
}
