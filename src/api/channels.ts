/** Requests for channels and routes. */
import {
  channelListSchema,
  channelTestSchema,
  type Route,
  routeTestResultSchema,
  undeliveredSchema,
} from '@nodebell/contract/channel.ts';
import {
  chatListSchema,
  type ChatSearch,
  type ChannelChange,
  type NewChannel,
  undeliveredCountSchema,
} from '@nodebell/contract/channelChange.ts';
import type { Priority, Status } from '@nodebell/contract/notification.ts';
import { urlSegment } from '@nodebell/contract/url.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { request } from './client';
import { toSearch } from './query';

/** No event reports deliveries. Milliseconds. */
const EVERY_MS = 10_000;
const PAGE = 50;

const nothing = z.unknown();
const pathOf = (name: string): string => `/channels/${urlSegment(name)}`;

export const channelsQuery = queryOptions({
  queryKey: ['channels'],
  queryFn: ({ signal }) => request('/channels', channelListSchema, { signal }),
  staleTime: 0,
  refetchInterval: EVERY_MS,
});

export const undeliveredQuery = infiniteQueryOptions({
  queryKey: ['undelivered'],
  queryFn: ({ pageParam, signal }) =>
    request(`/channels/undelivered${toSearch({ before: pageParam, limit: PAGE })}`, undeliveredSchema, { signal }),
  initialPageParam: undefined as number | undefined,
  getNextPageParam: ({ next }) => next,
  staleTime: 0,
});

export const addChannel = (body: NewChannel) => request('/channels', nothing, { method: 'POST', body });
export const changeChannel = (name: string, body: ChannelChange) =>
  request(pathOf(name), nothing, { method: 'PUT', body });
export const removeChannel = (name: string) => request(pathOf(name), nothing, { method: 'DELETE' });

/** Sends a test message over a channel that is stored. */
export const testChannel = (name: string) => request(`${pathOf(name)}/test`, channelTestSchema, { method: 'POST' });
/** Sends a test message over one that is not stored yet. */
export const tryChannel = (body: NewChannel) => request('/channels/test', channelTestSchema, { method: 'POST', body });
export const findChats = (body: ChatSearch) => request('/channels/chats', chatListSchema, { method: 'POST', body });

/** Replaces the routes of the page. @param revision of the routes that were read */
export const setRoutes = (routes: Route[], revision: string) =>
  request('/routes', nothing, { method: 'PUT', body: { routes, revision } });

export interface Tested {
  priority: Priority;
  status: Status;
  category?: string;
  dnpName?: string;
  node?: string | undefined;
}
export const testRoutes = (body: Tested) => request('/routes/test', routeTestResultSchema, { method: 'POST', body });

export const resend = (id: number) => request(`/channels/undelivered/${id}/send`, nothing, { method: 'POST' });
export const discard = (id: number) => request(`/channels/undelivered/${id}`, nothing, { method: 'DELETE' });
export const resendAll = () => request('/channels/undelivered/send', undeliveredCountSchema, { method: 'POST' });
export const discardAll = () => request('/channels/undelivered', undeliveredCountSchema, { method: 'DELETE' });
