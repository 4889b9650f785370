/** Shows critical notifications on every Grafana page. Joins the event stream that all tabs share. */
import { locationService } from '@grafana/runtime';
import type { Notification } from '@nodebell/contract/notification.ts';
import { getFacets } from '../api/notifications';
import { joinEvents } from '../api/joinEvents';
import type { StreamStatus } from '../api/stream';
import { createCalm } from '../components/calm';
import { throttle } from '../components/timers';
import { pathTo } from '../routes';
import { rememberUnread } from '../components/unread';
import { claim } from './claim';
import { onConsent } from './consent';
import { afterEvent } from './pending';
import { show } from './show';

/** Time to wait for a follow-up, such as the resolution of an alert. */
const GATHER_MS = 1000;
const COUNT_EVERY_MS = 30_000;
/** Events after which another number may be unread. */
const COUNTED: ReadonlySet<string> = new Set(['notification', 'seen', 'read', 'deleted', 'restored', 'reset']);

let stop: (() => void) | undefined;

/** Starts unless already started. Stops by itself when consent is withdrawn. */
export function beginToasts(): void {
  stop ??= listen();
}

/** Stops. The page on which consent is withdrawn gets no storage event, so it must call this. */
export function endToasts(): void {
  stop?.();
  stop = undefined;
}

const onInboxPage = (): boolean =>
  (locationService.getLocation() as { pathname: string }).pathname.startsWith(pathTo.inbox);

function listen(): () => void {
  let pending: Notification[] = [];
  let status: StreamStatus = 'connecting';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const calm = createCalm();

  const showPending = async () => {
    timer = undefined;
    // A toast in a hidden tab would expire unseen, so it waits, or another tab shows it.
    if (document.visibilityState !== 'visible' || pending.length === 0) {
      return;
    }
    const ours = pending;
    pending = [];
    const fresh = await claim(ours.map(({ id }) => id));
    // The inbox page shows arrivals itself.
    if (!onInboxPage()) {
      show(ours.filter(({ id }) => fresh.includes(id)));
    }
  };
  const showPendingSoon = () => {
    timer ??= setTimeout(() => void showPending(), GATHER_MS);
  };
  // Only while the stream is open: an expired session must not cause requests.
  const count = throttle(() => {
    if (status === 'open') {
      getFacets({ latest: 'true' }).then(
        ({ unseen }) => rememberUnread(unseen),
        () => undefined
      );
    }
  }, COUNT_EVERY_MS);

  const stream = joinEvents();
  const leave = stream.subscribe({
    onEvent: (event) => {
      pending = afterEvent(pending, event, calm);
      if (COUNTED.has(event.type)) {
        count();
      }
      if (pending.length > 0) {
        showPendingSoon();
      }
    },
    onStatus: (next) => {
      status = next;
      count();
    },
  });
  document.addEventListener('visibilitychange', showPendingSoon);
  const ignore = onConsent((given) => !given && endToasts());
  return () => {
    clearTimeout(timer);
    count.cancel();
    document.removeEventListener('visibilitychange', showPendingSoon);
    ignore();
    leave();
    stream.close();
  };
}
