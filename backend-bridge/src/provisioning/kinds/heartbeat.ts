/** Heartbeats. */
import { SERVICE } from '../../../contract/api/service.ts';
import { z } from 'zod';
import { type ProvisionedHeartbeat, provisionedHeartbeatSchema } from '../../../contract/heartbeat.ts';
import { type Kind, listed, named, textChange } from './kind.ts';

const responseSchema = z.object({
  files: z.array(z.object({ file: z.string(), heartbeats: z.array(provisionedHeartbeatSchema).default([]) })),
});

export const heartbeats: Kind<'heartbeats', ProvisionedHeartbeat, ProvisionedHeartbeat, ProvisionedHeartbeat> = {
  ...named('heartbeat', 'name'),
  member: 'heartbeats',
  entries: (file) => listed('heartbeats', file.heartbeats),
  owners: (deps) => ({ files: deps.heartbeats.files(), of: (name) => deps.heartbeats.owner(name) }),
  stored: (wanted) => wanted,
  movable: true,
  applied: (deps, file, wanted, moving) => deps.heartbeats.provision(file, wanted, moving),
  dryRun: {
    async inUse(get) {
      const { files } = await get(SERVICE.getProvisioning, responseSchema);
      return files.flatMap(({ file, heartbeats: all }) => all.map((value) => ({ key: value.name, file, value })));
    },
    key: ({ name }) => name,
    difference: (wanted, before, { file }) => textChange(wanted, before, file, textOf),
    removal: () => 'no longer monitored',
  },
};

/** `attic silent for 5m, priority high` */
const textOf = ({ name, sender = name, interval, priority = 'high' }: ProvisionedHeartbeat): string =>
  `${sender} silent for ${interval}, priority ${priority}`;
