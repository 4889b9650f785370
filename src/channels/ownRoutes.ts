import type { ChannelList, Route } from '@nodebell/contract/channel.ts';

/** The routes of the page, without their places. */
export const ownRoutes = ({ routes }: Pick<ChannelList, 'routes'>): Route[] =>
  routes
    .filter(({ file, index }) => file === undefined && index >= 0)
    .map(({ file: _file, index: _index, ...route }) => route);

const isSame = (one: Route, other: Route): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * The index of a route now; of identical ones, the nearest to where it was.
 * @returns -1 if it is gone
 */
export const placeOf = (own: readonly Route[], route: Route, before: number): number =>
  own
    .flatMap((one, index) => (isSame(one, route) ? index : []))
    .sort((a, b) => Math.abs(a - before) - Math.abs(b - before))[0] ?? -1;
