/** Handlers of maintenance windows. */
import type { MAINTENANCE } from '../../../contract/api/maintenance.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import type { SuppressionService } from './service.ts';

export const maintenanceHandlers = (service: SuppressionService): Handlers<typeof MAINTENANCE> => ({
  listMaintenance: () => service.list(),
  addMaintenance: ({ body, by }) => service.add(body, by),
  changeMaintenance: ({ params, body, by }) => service.change(params.id, body, by),
  removeMaintenance: ({ params, by }) => service.remove(params.id, by),
});
