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
      const { isSet, value: was } = before.value;
      return settingChange([textOf(member, was), is], { isSet, owner: before.file, file, done: 'set' });
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
  const inUse = (id: string, member: Setting['member'], { file, ...value }: Value) => ({
    key: keyOf(dnpName, id, member),
    name: nameOf(dnpName, id),
    file,
    value: { member, dnpName, ...value },
  });
  return [
    inUse('', 'enabled', valueOf(enabled)),
    ...endpoints.flatMap(({ correlationId, enabled: on, threshold }) => [
      inUse(correlationId, 'enabled', valueOf(on)),
      ...(threshold ? [inUse(correlationId, 'threshold', valueOf(threshold))] : []),
    ]),
    ...leftovers.flatMap(({ correlationId, enabled: on, threshold, file }) => [
      ...(on === undefined ? [] : [inUse(correlationId, 'enabled', { isSet: true, value: Number(on), file })]),
      ...(threshold === undefined ? [] : [inUse(correlationId, 'threshold', { isSet: true, value: threshold, file })]),
    ]),
  ];
}

interface Value {
  isSet: boolean;
  value: number;
  file: string | undefined;
}

const valueOf = ({ value, origin, file }: { value: boolean | number; origin: string; file?: string }): Value => ({
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
