import { config } from '@grafana/runtime';
import { EVENTS } from '@nodebell/contract/api/events.ts';
import { requestOf } from '@nodebell/contract/operation.ts';
import { PLUGIN_ID } from '../routes';
import { addressOf } from './client';
import { openChannel, SharedStream } from './events';
import type { Source } from './stream';

function connect(lastEventId: number | undefined): Source {
  return new EventSource(
    addressOf(requestOf(EVENTS.listenEvents, { query: { lastEventId } }).path)
  ) as unknown as Source;
}

/** Joins the event stream of this browser, until it is closed. */
export function joinEvents(): Pick<SharedStream, 'subscribe' | 'close'> {
  // Users and organisations see different inboxes through the same origin, so they do not share a channel.
  const { orgId, id } = config.bootData.user;
  return new SharedStream({ channel: openChannel(`${PLUGIN_ID}:${config.appSubUrl}:${orgId}:${id}`), connect });
}
