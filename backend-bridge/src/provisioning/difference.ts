/** The changes that provisioning files would make to a bridge. Pure. */
import { DEFAULT_DIALECT } from '../../contract/finding.ts';
import type { ChannelList, PlacedRoute, Route } from '../../contract/channel.ts';
import type { EndpointPackage } from '../../contract/endpoint.ts';
import type { ProvisionedHeartbeat } from '../../contract/heartbeat.ts';
import type { PackageChange, PackageSummary, ShownWarning } from '../../contract/package.ts';
import type { Category } from '../../contract/query.ts';
import type { RetentionPolicy, RetentionStatus } from '../../contract/retention.ts';
import type { Token } from '../../contract/token.ts';
import { provisionedId } from '../access/token.ts';
import { type ShownChannel, shownChannel } from '../channels/channel.ts';
import { jsonOfShipped } from '../packages/change.ts';
import { fingerprintOf } from '../packages/fingerprint.ts';
import type { SettingChange } from '../thresholds/writes.ts';
import { decideChange, warningsFor } from '../validation/updateDecision.ts';
import type { FolderPackage, LoadedFolder } from './loadFolder.ts';
import type { LoadedFile, WantedPackage, WantedSender } from './types.ts';

/** As in GET /packages, /endpoints, /categories, /tokens, /retention, /channels and /provisioning. */
export interface InUse {
  packages: Pick<PackageSummary, 'dnpName' | 'version' | 'fingerprint' | 'origin'>[];
  endpoints: EndpointPackage[];
  categories: Pick<Category, 'category' | 'enabled' | 'file'>[];
  senders: Pick<Token, 'id' | 'name' | 'packages' | 'revokedAt' | 'file'>[];
  retention: Pick<RetentionStatus, 'policy' | 'file'>;
  channels: (ShownChannel & { file: string })[];
  routes: ChannelList['routes'];
  heartbeats: (ProvisionedHeartbeat & { file: string })[];
}

export interface Difference {
  /** The file that provisions it, or no longer does. */
  file: string;
  kind: 'package' | 'setting' | 'category' | 'sender' | 'retention' | 'channel' | 'routes' | 'heartbeat';
  name: string;
  action: 'add' | 'change' | 'remove';
  detail: string;
  change?: PackageChange;
  /** Warnings of the package's author. */
  warnings?: ShownWarning[];
}

/**
 * By file, packages first. Not compared: conflicts between files, and nodes of chains, since the bridge does not expose their addresses,
 * which may contain credentials, and secrets of channels.
 */
export function differencesOf({ files, packages }: LoadedFolder, inUse: InUse): Difference[] {
  const gone = ownersOf(inUse).filter((file) => !files.some((one) => one.file === file));
  return [
    ...files.flatMap((one) => [
      ...packages.filter(({ file }) => file === one.file).flatMap((wanted) => packageDifference(wanted, inUse)),
      ...settingDifferences(one, inUse.endpoints),
      ...categoryDifferences(one, inUse),
      ...(one.wanted?.senders ?? []).flatMap((sender) => senderDifference(one.file, sender, inUse)),
      ...retentionDifference(one, inUse.retention),
      ...(one.wanted?.channels ?? []).flatMap((channel) => channelDifference(one.file, shownChannel(channel), inUse)),
      ...routesDifference(one, inUse.routes),
      ...(one.wanted?.heartbeats ?? []).flatMap((heartbeat) => heartbeatDifference(one.file, heartbeat, inUse)),
      ...removals(one.file, files, inUse),
    ]),
    ...gone.flatMap((file) => removals(file, files, inUse)),
  ];
}

function ownersOf({ packages, categories, senders, retention, channels, routes, heartbeats }: InUse): string[] {
  const files = [
    ...packages.map(({ origin }) => origin.file),
    ...categories.map(({ file }) => file),
    ...senders.flatMap(({ file, revokedAt }) => (revokedAt === null ? [file] : [])),
    retention.file,
    ...channels.map(({ file }) => file),
    ...routes.map(({ file }) => file),
    ...heartbeats.map(({ file }) => file),
  ];
  return [...new Set(files.filter((file) => file !== undefined))].sort();
}

function packageDifference({ file, wanted, validated }: FolderPackage, { packages }: InUse): Difference[] {
  const before = packages.find(({ dnpName }) => dnpName === wanted.name);
  const change = decideChange(before && { version: before.version, content: before.fingerprint }, {
    version: wanted.version,
    content: fingerprintOfWanted(wanted),
  });
  const { facts } = validated;
  const base = { file, kind: 'package', name: wanted.name, change } as const;
  const warnings = facts ? warningsFor(change, { ...facts, warnings: facts.facts.warnings }) : [];
  if (before === undefined) {
    return [{ ...base, action: 'add', detail: wanted.version, warnings }];
  }
  const owner = before.origin.file === file ? [] : [ownerText(before.origin.file, 'registered')];
  const detail = [...changeText(change), ...owner].join('; ');
  return detail === '' ? [] : [{ ...base, action: 'change', detail, warnings }];
}

/** As the bridge computes it from its row. */
function fingerprintOfWanted({ texts, dialect = DEFAULT_DIALECT, targets, dashboards }: WantedPackage): string {
  const { manifest, notifications = null, compose = null } = texts;
  const shipped = { targets: jsonOfShipped(targets), dashboards: jsonOfShipped(dashboards) };
  return fingerprintOf({ dialect, manifest, notifications, compose, ...shipped });
}

function changeText({ kind, level, from, to }: PackageChange): string[] {
  switch (kind) {
    case 'update':
      return [`${from} → ${to}, ${level === 'patch' ? 'a patch' : `a ${level} update`}`];
    case 'downgrade':
      return [`${from} → ${to}, a downgrade`];
    case 'changed':
      return [`${to}, with other files`];
    default:
      return [];
  }
}

export const ownerText = (owner: string | undefined, done: string): string =>
  owner === undefined ? `until now ${done} by hand` : `until now provisioned by ${owner}`;

function categoryDifferences({ file, wanted }: LoadedFile, { categories }: InUse): Difference[] {
  return (wanted?.categories ?? []).flatMap(({ category, enabled }) => {
    const before = categories.find((one) => one.category === category);
    const was = before?.enabled ?? true;
    if (was === enabled && before?.file === file) {
      return [];
    }
    const owner = before?.file === undefined || before.file === file ? [] : [ownerText(before.file, 'switched')];
    const state = was === enabled ? `stays ${onOff(was)}` : `${onOff(was)} → ${onOff(enabled)}`;
    const action = before?.file === undefined ? 'add' : 'change';
    return [{ file, kind: 'category', name: category, action, detail: [state, ...owner].join('; ') }];
  });
}

export const onOff = (enabled: boolean): string => (enabled ? 'on' : 'off');

function senderDifference(file: string, { name, packages, hash }: WantedSender, { senders }: InUse): Difference[] {
  const before = senders.find(({ id, revokedAt }) => id === provisionedId(hash) && revokedAt === null);
  const base = { file, kind: 'sender', name } as const;
  if (before === undefined) {
    return [{ ...base, action: 'add', detail: `its token is valid for ${packagesText(packages)}` }];
  }
  const detail = [
    ...(before.name === name ? [] : [`until now called ${before.name}`]),
    ...(packagesText(before.packages) === packagesText(packages)
      ? []
      : [`${packagesText(before.packages)} → ${packagesText(packages)}`]),
    ...(before.file === file ? [] : [ownerText(before.file, 'made')]),
  ].join('; ');
  return detail === '' ? [] : [{ ...base, action: 'change', detail }];
}

const packagesText = (packages: readonly string[]): string =>
  packages.length === 0 ? 'any package' : packages.join(', ');

/** What the file provisioned, and no file does any more. */
function removals(file: string, files: readonly LoadedFile[], inUse: InUse): Difference[] {
  const all = files.flatMap(({ wanted }) => wanted ?? []);
  const packages = new Set(all.flatMap((wanted) => wanted.packages.map(({ name }) => name)));
  const categories = new Set(all.flatMap((wanted) => wanted.categories.map(({ category }) => category)));
  const channels = new Set(all.flatMap((wanted) => wanted.channels.map(({ name }) => name)));
  const heartbeats = new Set(all.flatMap((wanted) => wanted.heartbeats.map(({ name }) => name)));
  const senders = new Set(all.flatMap((wanted) => wanted.senders.map(({ hash }) => provisionedId(hash))));
  const remove = (kind: Difference['kind'], name: string, detail: string): Difference => ({
    file,
    kind,
    name,
    action: 'remove',
    detail,
  });
  return [
    ...inUse.packages
      .filter(({ dnpName, origin }) => origin.file === file && !packages.has(dnpName))
      .map(({ dnpName, version }) => remove('package', dnpName, version)),
    ...settingRemovals(file, files, inUse.endpoints),
    ...inUse.categories
      .filter(({ category, file: owner }) => owner === file && !categories.has(category))
      .map(({ category, enabled }) => remove('category', category, enabled ? 'stays on' : 'off → on')),
    ...inUse.senders
      .filter(({ id, file: owner, revokedAt }) => owner === file && revokedAt === null && !senders.has(id))
      .map(({ name }) => remove('sender', name, 'its token is revoked')),
    ...inUse.channels
      .filter(({ name, file: owner }) => owner === file && !channels.has(name))
      .map((channel) => remove('channel', channel.name, `no longer ${channelText(channel)}`)),
    ...inUse.heartbeats
      .filter(({ name, file: owner }) => owner === file && !heartbeats.has(name))
      .map(({ name }) => remove('heartbeat', name, 'no longer monitored')),
    ...(files.some((one) => one.file === file) || !inUse.routes.some((route) => route.file === file)
      ? []
      : [remove('routes', file, 'no routes')]),
    ...(inUse.retention.file === file && !all.some(({ retention }) => retention)
      ? [remove('retention', 'notifications', `no longer ${policyText(inUse.retention.policy)}`)]
      : []),
  ];
}

function channelDifference(file: string, channel: ShownChannel, { channels }: InUse): Difference[] {
  const { name } = channel;
  const before = channels.find((one) => one.name === name);
  const base = { file, kind: 'channel', name } as const;
  if (before === undefined) {
    return [{ ...base, action: 'add', detail: channelText(channel) }];
  }
  const [was, is] = [channelText(before), channelText(channel)];
  const owner = before.file === file ? [] : [ownerText(before.file, 'provisioned')];
  const detail = [...(was === is ? [] : [`${was} → ${is}`]), ...owner].join('; ');
  return detail === '' ? [] : [{ ...base, action: 'change', detail }];
}

function heartbeatDifference(file: string, heartbeat: ProvisionedHeartbeat, { heartbeats }: InUse): Difference[] {
  const { name } = heartbeat;
  const before = heartbeats.find((one) => one.name === name);
  const base = { file, kind: 'heartbeat', name } as const;
  if (before === undefined) {
    return [{ ...base, action: 'add', detail: heartbeatText(heartbeat) }];
  }
  const [was, is] = [heartbeatText(before), heartbeatText(heartbeat)];
  const owner = before.file === file ? [] : [ownerText(before.file, 'provisioned')];
  const detail = [...(was === is ? [] : [`${was} → ${is}`]), ...owner].join('; ');
  return detail === '' ? [] : [{ ...base, action: 'change', detail }];
}

/** `attic silent for 5m, priority high` */
const heartbeatText = ({ name, sender = name, interval, priority = 'high' }: ProvisionedHeartbeat): string =>
  `${sender} silent for ${interval}, priority ${priority}`;

/** `webhook to 127.0.0.1:9999, gives up after 24h` */
const channelText = ({ type, target, giveUpAfter, perMinute, quietHours, passing }: ShownChannel): string =>
  [
    `${type} to ${target}`,
    `gives up after ${giveUpAfter}`,
    ...(perMinute === null ? [] : [`${perMinute} a minute`]),
    ...(quietHours === undefined ? [] : [`quiet ${JSON.stringify(quietHours)}`]),
    ...(passing === undefined ? [] : [`passing ${passing}`]),
  ].join(', ');

function routesDifference({ file, wanted }: LoadedFile, routes: readonly PlacedRoute[]): Difference[] {
  if (wanted === undefined) {
    return [];
  }
  const before = routes.filter((route) => route.file === file).map(({ file: _file, index: _index, ...route }) => route);
  const [was, is] = [routesText(before), routesText(wanted.routes)];
  if (was === is) {
    return [];
  }
  const action = before.length === 0 ? 'add' : wanted.routes.length === 0 ? 'remove' : 'change';
  return [{ file, kind: 'routes', name: file, action, detail: `${was} → ${is}` }];
}

const ROUTE_ORDER = [
  'channels',
  'priority',
  'categories',
  'packages',
  'statuses',
  'nodes',
  'persons',
  'digest',
  'unacknowledged',
  'dropResolved',
  'continue',
] as const;
const routesText = (routes: readonly Route[]): string =>
  routes.length === 0
    ? 'none'
    : JSON.stringify(
        routes.map((route) =>
          Object.fromEntries(
            ROUTE_ORDER.flatMap((member) => (route[member] === undefined ? [] : [[member, route[member]]]))
          )
        )
      );

function retentionDifference({ file, wanted }: LoadedFile, before: InUse['retention']): Difference[] {
  const policy = wanted?.retention;
  const same = policy !== undefined && policyText(policy) === policyText(before.policy);
  if (policy === undefined || (same && before.file === file)) {
    return [];
  }
  const owner = before.file === undefined || before.file === file ? [] : [ownerText(before.file, 'set')];
  const state = same ? `stays ${policyText(policy)}` : `${policyText(before.policy)} → ${policyText(policy)}`;
  const action = before.file === undefined ? 'add' : 'change';
  return [{ file, kind: 'retention', name: 'notifications', action, detail: [state, ...owner].join('; ') }];
}

/** `rules [{"olderThan":"90d"}], maxBytes 5GB` */
function policyText({ rules = [], ...limits }: RetentionPolicy): string {
  const all = [
    ...(rules.length === 0 ? [] : [`rules ${JSON.stringify(rules)}`]),
    ...Object.entries(limits).map(([name, value]) => `${name} ${value}`),
  ];
  return all.length === 0 ? 'off' : all.join(', ');
}

interface Setting {
  /** False: the package's default. */
  isSet: boolean;
  /** 1 and 0 for on and off, as stored. */
  value: number;
  file?: string;
}

type Key = Pick<SettingChange, 'dnp_name' | 'correlation_id' | 'member'>;
const keyOf = ({ dnp_name: dnpName, correlation_id: correlationId, member }: Key): string =>
  JSON.stringify([dnpName, correlationId, member]);

/** Current settings by key: switches of packages and endpoints, and thresholds. */
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
      // The response lacks the file of a setting that is not in effect.
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

/** Settings of the file that differ from the current ones. */
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
      const base = { file, kind: 'setting', name: nameOf(change) } as const;
      const words = settingText(change.member, change.value);
      if (before === undefined) {
        return [{ ...base, action: 'add', detail: words }];
      }
      const state =
        before.value === change.value ? `stays ${words}` : `${settingText(change.member, before.value)} → ${words}`;
      const owner = isOwn || !before.isSet ? [] : [ownerText(before.file, 'set')];
      return [{ ...base, action: before.isSet ? 'change' : 'add', detail: [state, ...owner].join('; ') }];
    })
  );
}

/** Settings that the file provisioned for packages that stay, and no file does any more. */
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
    const detail = `${settingText(member, setting.value)} is no longer configured`;
    return [{ file, kind: 'setting', name, action: 'remove', detail }];
  });
}

const keyed = (dnpName: string, { correlationId }: { correlationId: string }): string =>
  JSON.stringify([dnpName, correlationId]);

const nameOf = ({ dnp_name: dnpName, correlation_id: correlationId }: Key): string =>
  correlationId === '' ? dnpName : `${dnpName} ${correlationId}`;

const settingText = (member: Key['member'], value: number): string =>
  member === 'enabled' ? onOff(value !== 0) : `threshold ${value}`;
