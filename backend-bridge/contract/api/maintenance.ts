/** Operations: maintenance windows. */
import { created, del, get, json, noContent, ok, operations, put, post, segment } from '../operation.ts';
import { maintenanceBodySchema, maintenanceSchema, suppressionsSchema } from '../suppression.ts';

const ID = { id: segment('The id of a maintenance window.') };

export const MAINTENANCE = operations('Respond', {
  listMaintenance: get('/maintenance', 'inbox:read', {
    summary: 'Maintenance windows and inhibition rules, with the number of threads that they suppress',
    reply: ok('The windows and rules.', () => suppressionsSchema),
  }),
  addMaintenance: post('/maintenance', 'inbox:write', {
    summary:
      'Add a maintenance window: what it matches is stored, and sent to no channel; at its end, what still fires is sent once',
    body: json(() => maintenanceBodySchema),
    reply: created('The window.', () => maintenanceSchema),
    problems: [409],
  }),
  changeMaintenance: put('/maintenance/{id}', 'inbox:write', {
    summary: 'Change a maintenance window; 409 for one of a provisioning file',
    params: ID,
    body: json(() => maintenanceBodySchema),
    reply: ok('The window.', () => maintenanceSchema),
    problems: [404, 409],
  }),
  removeMaintenance: del('/maintenance/{id}', 'inbox:write', {
    summary: 'Remove a maintenance window; what still fires is sent',
    params: ID,
    reply: noContent('Removed.'),
    problems: [404, 409],
  }),
});
