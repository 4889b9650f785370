import type { ChannelList, Route } from '@nodebell/contract/channel.ts';

/** The routes of the page, without their places. */
export const ownRoutes = ({ routes }: Pick<ChannelList, 'routes'>): Route[] =>
  routes.filter(({ file }) => file === undefined).map(({ file: _file, index: _index, ...route }) => route);
