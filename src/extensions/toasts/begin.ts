/** Listens on behalf of whoever wants to be told on every page of Grafana. Joins the event stream that all tabs share. */
import { locationService } from '@grafana/runtime';
import type { Notification } from '@nodebell/contract/notification.ts';
import { getFacets } from '../../api/notifications';
import { joinEvents } from '../../api/joinEvents';
import type { StreamStatus } from '../../api/stream';
import { throttle } from '../../components/timers';
import { pathTo } from '../../routes';
import { rememberUnread } from '../unread';
import { claim } from './claim';
import { onConsent } from './consent';
import { afterEvent } from './pending';
import { show } from './show';

/** Until the other half of a pair, such as an alert and its end, has come as well. */
const GATHER_MS = 1000;
const COUNT_EVERY_MS = 30_000;
/** Events after which another number may be unread. */
const COUNTED: ReadonlySet<string> = new Set(['notification', 'seen', 'read', 'deleted', 'restored', 'reset']);

let stop: (() => void) | undefined;

/** Begins, unless it has begun. Ends by itself when the consent is taken back. */
export function beginToasts(): void {
  stop ??= listen();
}

/** Ends; for the page on which the consent is taken back, which is not told of that by the browser. */
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

  const tell = async () => {
    timer = undefined;
    // A message in a tab that nobody sees would be gone before it is looked at; it waits, and another tab may tell it.
    if (document.visibilityState !== 'visible' || pending.length === 0) {
      return;
    }
    const ours = pending;
    pending = [];
    const fresh = await claim(ours.map(({ id }) => id));
    // Who has the inbox before them sees it arrive there.
    if (!onInboxPage()) {
      show(ours.filter(({ id }) => fresh.includes(id)));
    }
  };
  const tellSoon = () => {
    timer ??= setTimeout(() => void tell(), GATHER_MS);
  };
  // Only while events come: a session that has ended is not woken, and nobody is asked to sign in for this.
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
      pending = afterEvent(pending, event);
      if (COUNTED.has(event.type)) {
        count();
      }
      if (pending.length > 0) {
        tellSoon();
      }
    },
    onStatus: (next) => {
      status = next;
      count();
    },
  });
  document.addEventListener('visibilitychange', tellSoon);
  const ignore = onConsent((given) => !given && endToasts());
  return () => {
    clearTimeout(timer);
    count.cancel();
    document.removeEventListener('visibilitychange', tellSoon);
    ignore();
    leave();
    stream.close();
  };
}
