import type { ChannelList, Route } from '@nodebell/contract/channel.ts';

/** The routes of the page, without their places. */
export const ownRoutes = ({ routes }: Pick<ChannelList, 'routes'>): Route[] =>
  routes
    .filter(({ file, index }) => file === undefined && index >= 0)
    .map(({ file: _file, index: _index, ...route }) => route);
