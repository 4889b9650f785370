/** Maintenance windows. */
import { MAINTENANCE } from '../../../contract/api/maintenance.ts';
import { type MaintenanceBody, suppressionsSchema } from '../../../contract/suppression.ts';
import { messageOf } from '../../delivery/channels/match.ts';
import { compileCovers } from '../../delivery/suppression/rules.ts';
import { type Kind, listed, named, textChange } from './kind.ts';

export const maintenance: Kind<'maintenance', MaintenanceBody, MaintenanceBody, MaintenanceBody> = {
  ...named('maintenance window', 'name'),
  member: 'maintenance',
  entries: (file) => listed('maintenance', file.maintenance),
  validate({ matchers }, { at }) {
    const detail = messageOf(() => compileCovers(matchers));
    const base = { rule: 'matchers', verdict: 'error', title: 'Invalid matchers' } as const;
    return detail === undefined ? [] : [at(['matchers'], { ...base, detail })];
  },
  owners: ({ suppression }) => ({ files: suppression.files(), of: (name) => suppression.owner(name) }),
  stored: (wanted) => wanted,
  applied: ({ suppression }) => suppression.load(),
  dryRun: {
    async inUse(get) {
      const { windows } = await get(MAINTENANCE.listMaintenance, suppressionsSchema);
      return windows.flatMap(({ file, ...value }) => (file === undefined ? [] : [{ key: value.name, file, value }]));
    },
    key: ({ name }) => name,
    difference: (wanted, before, { file }) => textChange(wanted, before, file, textOf),
    removal: () => 'no longer',
  },
};

const textOf = ({ matchers, startsAt, endsAt, weekly }: MaintenanceBody): string =>
  [matchers, startsAt && `from ${startsAt}`, endsAt && `until ${endsAt}`, weekly && JSON.stringify(weekly)]
    .filter(Boolean)
    .join(' ');
