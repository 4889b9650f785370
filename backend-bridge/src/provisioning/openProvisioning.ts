/** Provisioning from files. The replica that leads applies them; the others show its report. */
import type { Core } from '../platform/core/area.ts';
import type { SharedWriter } from '../platform/replicas/sharedState.ts';
import { type ProvisioningDeps, type ProvisioningReport, ProvisioningService } from './service.ts';
import { watchFiles } from './watch.ts';
import { provision } from './writes.ts';

/** Entry of the report, for other replicas. */
const FILES = 'files';

type Provisioned = Pick<
  ProvisioningDeps,
  | 'registry'
  | 'categories'
  | 'senders'
  | 'chains'
  | 'channels'
  | 'heartbeats'
  | 'suppression'
  | 'mappings'
  | 'retentionFile'
  | 'isAdminHash'
>;

/** @param files the folder of the files, and the variables for them; undefined: nothing is provisioned */
export function openProvisioning(
  { writes, log, now, replica }: Core,
  files: Pick<ProvisioningDeps, 'dir' | 'env'> | undefined,
  areas: Provisioned
) {
  const reader = replica.reader<ProvisioningReport>('provisioning');
  let leading: { shared: SharedWriter | undefined } | undefined;
  const service = new ProvisioningService({
    ...areas,
    dir: files?.dir,
    env: files?.env ?? {},
    store: (change) => writes.submit(provision, change),
    async share(report) {
      const shared = leading?.shared;
      shared?.set(FILES, await report());
      void shared?.flush();
    },
    followed: async () => (leading ? undefined : (await reader?.read())?.get(FILES)),
    now,
    log,
  });
  return {
    status: () => service.status(),
    mistakes: () => service.mistakes(),
    isComplete: () => service.isComplete(),
    /** Applies the files and watches them, until the function that it returns is called. */
    async lead(term: number) {
      leading = { shared: replica.writer('provisioning', term) };
      service.restart();
      await areas.heartbeats.load();
      const watching = await (files ? watchFiles(() => service.reload()) : service.reload());
      return async () => {
        leading = undefined;
        await ('close' in watching ? watching.close() : undefined);
      };
    },
  };
}
