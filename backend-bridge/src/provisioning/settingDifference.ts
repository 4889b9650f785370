/** What a bridge would change of what is set for packages and their endpoints. Pure. */
import type { EndpointPackage } from '../../contract/endpoint.ts';
import type { SettingChange } from '../thresholds/writes.ts';
import { type Difference, onOff, ownerInWords } from './difference.ts';
import type { LoadedFile } from './types.ts';

interface Setting {
  /** Whether it is set at all, or the package's own. */
  isSet: boolean;
  /** 1 and 0 for on and off, as they are stored. */
  value: number;
  file?: string;
}

type Key = Pick<SettingChange, 'dnp_name' | 'correlation_id' | 'member'>;
const keyOf = ({ dnp_name: dnpName, correlation_id: correlationId, member }: Key): string =>
  JSON.stringify([dnpName, correlationId, member]);

/** What is in use, by key: the switches of packages and endpoints, and thresholds. */
function settingsInUse(packages: readonly EndpointPackage[]): Map<string, Setting> {
  const found = new Map<string, Setting>();
  for (const { dnpName, enabled, endpoints, leftovers } of packages) {
    const add = (correlationId: string, member: Key['member'], setting: Setting): void =>
      void found.set(keyOf({ dnp_name: dnpName, correlation_id: correlationId, member }), setting);
    add('', 'enabled', settingOf(enabled));
    for (const one of endpoints) {
      add(one.correlationId, 'enabled', settingOf(one.enabled));
      if (one.threshold) {
        add(one.correlationId, 'threshold', settingOf(one.threshold));
      }
    }
    for (const { correlationId, enabled: on, threshold } of leftovers) {
      // Which file sets it is not told of what is not in use.
      if (on !== undefined) {
        add(correlationId, 'enabled', { isSet: true, value: Number(on) });
      }
      if (threshold !== undefined) {
        add(correlationId, 'threshold', { isSet: true, value: threshold });
      }
    }
  }
  return found;
}

type Value = EndpointPackage['enabled'] | NonNullable<EndpointPackage['endpoints'][number]['threshold']>;
const settingOf = ({ value, origin, file }: Value): Setting => ({
  isSet: origin !== 'package',
  value: Number(value),
  ...(file !== undefined && { file }),
});

/** What the file sets otherwise than it is. */
export function settingDifferences({ file, wanted }: LoadedFile, packages: readonly EndpointPackage[]): Difference[] {
  const inUse = settingsInUse(packages);
  const unused = new Set(packages.flatMap(({ dnpName, leftovers }) => leftovers.map((one) => keyed(dnpName, one))));
  return (wanted?.packages ?? []).flatMap(({ settings }) =>
    settings.flatMap((change): Difference[] => {
      const before = inUse.get(keyOf(change));
      const isLeftover = unused.has(keyed(change.dnp_name, { correlationId: change.correlation_id }));
      const isOwn = before !== undefined && (isLeftover || before.file === file);
      if (change.value === null || (isOwn && before.value === change.value)) {
        return [];
      }
      const told = { file, kind: 'setting', name: nameOf(change) } as const;
      const words = inWords(change.member, change.value);
      if (before === undefined) {
        return [{ ...told, action: 'add', detail: words }];
      }
      const state =
        before.value === change.value ? `stays ${words}` : `${inWords(change.member, before.value)} → ${words}`;
      const owner = isOwn || !before.isSet ? [] : [ownerInWords(before.file, 'set')];
      return [{ ...told, action: before.isSet ? 'change' : 'add', detail: [state, ...owner].join('; ') }];
    })
  );
}

/** What the file has set, of packages that stay, and no file sets any more. */
export function settingRemovals(
  file: string,
  files: readonly LoadedFile[],
  packages: readonly EndpointPackage[]
): Difference[] {
  const wanted = files.flatMap((one) => one.wanted?.packages ?? []);
  const names = new Set(wanted.map(({ name }) => name));
  const keys = new Set(wanted.flatMap(({ settings }) => settings.map(keyOf)));
  return [...settingsInUse(packages.filter(({ dnpName }) => names.has(dnpName)))].flatMap(([key, setting]) => {
    if (setting.file !== file || keys.has(key)) {
      return [];
    }
    const [dnpName, correlationId, member] = JSON.parse(key) as [string, string, Key['member']];
    const name = nameOf({ dnp_name: dnpName, correlation_id: correlationId, member });
    const detail = `${inWords(member, setting.value)} is set no longer`;
    return [{ file, kind: 'setting', name, action: 'remove', detail }];
  });
}

const keyed = (dnpName: string, { correlationId }: { correlationId: string }): string =>
  JSON.stringify([dnpName, correlationId]);

const nameOf = ({ dnp_name: dnpName, correlation_id: correlationId }: Key): string =>
  correlationId === '' ? dnpName : `${dnpName} ${correlationId}`;

const inWords = (member: Key['member'], value: number): string =>
  member === 'enabled' ? onOff(value !== 0) : `threshold ${value}`;
