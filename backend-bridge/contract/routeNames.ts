/** Names in a route: of channels, schedules and people. */
import type { Route } from './channel.ts';
import type { Place } from './onCall.ts';

/** A name in a route: of a channel, a schedule or a person. */
export interface Named {
  kind: 'channel' | Place['kind'];
  name: string;
  path: (string | number)[];
}

type Naming = Pick<Route, 'channels' | 'onCall' | 'escalation'>;

/** All names in a route, with their places in it. */
export function namesIn({ channels, onCall, escalation = [] }: Naming): Named[] {
  const namesOf = (
    step: { channels?: string[] | undefined; onCall?: string | undefined; people?: string[] | undefined },
    at: (string | number)[]
  ): Named[] => [
    ...(step.onCall === undefined ? [] : [{ kind: 'schedule' as const, name: step.onCall, path: [...at, 'onCall'] }]),
    ...(step.people ?? []).map((name, index) => ({ kind: 'person' as const, name, path: [...at, 'people', index] })),
    ...(step.channels ?? []).map((name, index) => ({
      kind: 'channel' as const,
      name,
      path: [...at, 'channels', index],
    })),
  ];
  return [
    ...namesOf({ channels, onCall }, []),
    ...escalation.flatMap((step, index) => namesOf(step, ['escalation', index])),
  ];
}

/** Names of the channels of a route, those of its steps included. */
export const channelsIn = (route: Naming): string[] =>
  namesIn(route).flatMap(({ kind, name }) => (kind === 'channel' ? name : []));
