/** Requests for channels and routes. */
import { CHANNELS } from '@nodebell/contract/api/channels.ts';
import type { Route } from '@nodebell/contract/channel.ts';
import type { ChannelChange, ChatSearch, NewChannel, TemplatePreviewBody } from '@nodebell/contract/channelChange.ts';
import type { Priority, Status } from '@nodebell/contract/notification.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from './client';

/** No event reports deliveries. Milliseconds. */
const EVERY_MS = 10_000;
const PAGE = 50;

export const channelsQuery = queryOptions({
  queryKey: ['channels'],
  queryFn: ({ signal }) => call(CHANNELS.listChannels, { signal }),
  staleTime: 0,
  refetchInterval: EVERY_MS,
  refetchOnWindowFocus: true,
});

export const undeliveredQuery = infiniteQueryOptions({
  queryKey: ['undelivered'],
  queryFn: ({ pageParam, signal }) =>
    call(CHANNELS.listUndelivered, { query: { before: pageParam, limit: PAGE }, signal }),
  initialPageParam: undefined as number | undefined,
  getNextPageParam: ({ next }) => next,
  staleTime: 0,
});

export const addChannel = (body: NewChannel) => call(CHANNELS.addChannel, { body });
export const changeChannel = (name: string, body: ChannelChange) =>
  call(CHANNELS.changeChannel, { params: { name }, body });
export const removeChannel = (name: string) => call(CHANNELS.removeChannel, { params: { name } });

/** Sends a test message over a stored channel. */
export const testChannel = (name: string) => call(CHANNELS.testChannel, { params: { name } });
/** Sends a test message over a channel that is not stored yet. */
export const tryChannel = (body: NewChannel) => call(CHANNELS.tryChannel, { body });
/** Shows the newest notification by templates. */
export const previewTemplates = (body: TemplatePreviewBody) => call(CHANNELS.previewTemplates, { body });
export const findChats = (body: ChatSearch) => call(CHANNELS.findChats, { body });

/** Replaces the routes of the page. @param revision of the routes that were read */
export const setRoutes = (routes: Route[], revision: string) =>
  call(CHANNELS.setRoutes, { body: { routes, revision } });

export interface Tested {
  priority: Priority;
  status: Status;
  category?: string;
  dnpName?: string;
  node?: string | undefined;
  labels?: Record<string, string> | undefined;
}
export const testRoutes = (body: Tested) => call(CHANNELS.testRoutes, { body });

export const resend = (id: number) => call(CHANNELS.sendUndelivered, { params: { id } });
export const discard = (id: number) => call(CHANNELS.discardUndelivered, { params: { id } });
export const resendAll = () => call(CHANNELS.sendAllUndelivered, {});
export const discardAll = () => call(CHANNELS.discardAllUndelivered, {});
