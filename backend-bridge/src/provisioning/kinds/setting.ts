/** Settings of packages: switches of packages and endpoints, and thresholds. In the file, they are members of the package. */
import { THRESHOLDS } from '../../../contract/api/thresholds.ts';
import { z } from 'zod';
import { type EndpointPackage, endpointPackageSchema } from '../../../contract/endpoint.ts';
import type { SettingChange } from '../../monitoring/thresholds/writes.ts';
import type { WantedPackage } from './loadPackage.ts';
import { type InUse, type Kind, onOff, settingChange } from './kind.ts';

interface Setting {
  member: SettingChange['member'];
  dnpName: string;
  /** False: the package's default. */
  isSet: boolean;
  /** It is not in effect, and the response lacks its file. */
  isLeftover: boolean;
  /** 1 and 0 for on and off, as stored. */
  value: number;
}

export const settings: Kind<'settings', SettingChange, SettingChange, Setting> = {
  name: 'setting',
  member: 'settings',
  entries: (_file, { packages = [] }) =>
    (packages as WantedPackage[]).flatMap((one) => one.settings.map((entry) => ({ path: ['packages'], entry }))),
  stored: (wanted) => wanted,
  dryRun: {
    async inUse(get) {
      const { packages } = await get(THRESHOLDS.listEndpoints, z.object({ packages: z.array(endpointPackageSchema) }));
      return packages.flatMap(settingsOf);
    },
    key: (change) => keyOf(change.dnp_name, change.correlation_id, change.member),
    nameOf: (change) => nameOf(change.dnp_name, change.correlation_id),
    difference({ member, value }, before, { file }) {
      if (value === null) {
        return undefined;
      }
      const is = textOf(member, value);
      if (before === undefined) {
        return { action: 'add', detail: is };
      }
      const { isSet, isLeftover, value: was } = before.value;
      const owner = isLeftover ? file : before.file;
      return settingChange([textOf(member, was), is], { isSet, owner, file, done: 'set' });
    },
    removal({ value: { member, dnpName, value } }, wanted) {
      const stays = wanted.some(({ packages = [] }) =>
        (packages as WantedPackage[]).some(({ name }) => name === dnpName)
      );
      return stays ? `${textOf(member, value)} is no longer configured` : undefined;
    },
  },
};

/** Current settings of a package. */
function settingsOf({ dnpName, enabled, endpoints, leftovers }: EndpointPackage): InUse<Setting>[] {
  const unused = new Set(leftovers.map(({ correlationId }) => correlationId));
  const inUse = (id: string, member: Setting['member'], { file, ...value }: Value) => ({
    key: keyOf(dnpName, id, member),
    name: nameOf(dnpName, id),
    file,
    value: { member, dnpName, isLeftover: unused.has(id), ...value },
  });
  return [
    inUse('', 'enabled', valueOf(enabled)),
    ...endpoints.flatMap(({ correlationId, enabled: on, threshold }) => [
      inUse(correlationId, 'enabled', valueOf(on)),
      ...(threshold ? [inUse(correlationId, 'threshold', valueOf(threshold))] : []),
    ]),
    ...leftovers.flatMap(({ correlationId, enabled: on, threshold }) => [
      ...(on === undefined ? [] : [inUse(correlationId, 'enabled', valueOf({ value: on }))]),
      ...(threshold === undefined ? [] : [inUse(correlationId, 'threshold', valueOf({ value: threshold }))]),
    ]),
  ];
}

interface Value {
  isSet: boolean;
  value: number;
  file: string | undefined;
}

const valueOf = ({ value, origin, file }: { value: boolean | number; origin?: string; file?: string }): Value => ({
  isSet: origin !== 'package',
  value: Number(value),
  file,
});

const keyOf = (dnpName: string, correlationId: string, member: string): string =>
  JSON.stringify([dnpName, correlationId, member]);

const nameOf = (dnpName: string, correlationId: string): string =>
  correlationId === '' ? dnpName : `${dnpName} ${correlationId}`;

const textOf = (member: Setting['member'], value: number): string =>
  member === 'enabled' ? onOff(value !== 0) : `threshold ${value}`;
