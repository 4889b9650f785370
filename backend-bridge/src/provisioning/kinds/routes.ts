/** Routes: all of a file are one entry, since their order counts. */
import { CHANNELS } from '../../../contract/api/channels.ts';
import { type Route, routeSchema } from '../../../contract/channel.ts';
import { namesIn } from '../../../contract/routeNames.ts';
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import type { ProvisioningFile } from '../../../contract/provisioningFile.ts';
import { misfitsOf } from '../../delivery/channels/match.ts';
import { channelsResponseSchema } from './channel.ts';
import type { At, Kind } from './kind.ts';
import { unknownName } from './unknownName.ts';

export const routes: Kind<'routes', Route[], Route[], Route[]> = {
  name: 'routes',
  member: 'routes',
  rank: 1,
  entries: (file) => [{ path: ['routes'], entry: file.routes ?? [] }],
  check: wrongChannels,
  stored: (wanted) => wanted.flat(),
  dryRun: {
    async inUse(get) {
      const { routes: all } = await get(CHANNELS.listChannels, channelsResponseSchema);
      const files = new Set(all.flatMap(({ file }) => file ?? []));
      return [...files].map((file) => ({ key: file, file, value: all.filter((route) => route.file === file) }));
    },
    key: (_wanted, file) => file,
    difference(wanted, before) {
      const [was, is] = [textOf(before?.value ?? []), textOf(wanted)];
      const action = before === undefined ? 'add' : wanted.length === 0 ? 'remove' : 'change';
      return was === is ? undefined : { action, detail: `${was} → ${is}` };
    },
    removal: () => 'no routes',
  },
};

/** Names that the file does not have, and channels that cannot do what the route says. */
function wrongChannels(file: ProvisioningFile, at: At): ProvisioningFinding[] {
  const { routes: all = [], channels = [] } = file;
  const base = { rule: 'channel', verdict: 'error' } as const;
  const unknown = all.flatMap((route, index) =>
    namesIn(route).flatMap(({ path, ...named }) =>
      unknownName(file, named, (one) => at(['routes', index, ...path], one))
    )
  );
  const misfits = all.flatMap((route, index) =>
    misfitsOf(route, channels).map(({ member, detail }) => {
      const title = TITLES[member] ?? 'Nothing waits for another bridge';
      return at(['routes', index, member], { ...base, title, detail });
    })
  );
  return [...unknown, ...misfits];
}

const TITLES: Partial<Record<keyof Route, string>> = {
  persons: 'No devices of persons',
  matchers: 'Invalid matchers',
};

/** The schema is strict, so these are all members. */
const MEMBERS = Object.keys(routeSchema.shape) as (keyof Route)[];
const textOf = (all: readonly Route[]): string =>
  all.length === 0
    ? 'none'
    : JSON.stringify(
        all.map((route) =>
          Object.fromEntries(
            MEMBERS.flatMap((member) => (route[member] === undefined ? [] : [[member, route[member]]]))
          )
        )
      );
