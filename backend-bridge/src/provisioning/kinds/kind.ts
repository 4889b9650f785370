/** A kind of provisioned entries, and what reading, comparing and applying them have in common. */
import path from 'node:path';
import type { z } from 'zod';
import type { Mapping } from '../../../contract/mapping.ts';
import type { Operation } from '../../../contract/operation.ts';
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import type { ProvisioningFile } from '../../../contract/provisioningFile.ts';
import type { PackageChange, ShownWarning } from '../../../contract/package.ts';
import type { Category } from '../../../contract/query.ts';
import type { Senders } from '../../platform/access/service.ts';
import type { ChainOverrides } from '../../monitoring/chains/address.ts';
import type { Channels } from '../../delivery/channels/service.ts';
import type { SuppressionService } from '../../delivery/suppression/service.ts';
import type { Heartbeats } from '../../intake/heartbeats/service.ts';
import type { ProvisionedRegistry } from '../../packages/registry/types.ts';
import type { ValidatedPackage } from '../../validation/package/validatePackage.ts';
import { readText } from './readText.ts';

/**
 * One kind per file in this folder, listed in index.ts. `Entry`: as in the file; `Wanted`: the desired state, with the files that the
 * entry names; `Value`: the state of a bridge, as its API shows it.
 */
export interface Kind<Member extends string = string, Entry = unknown, Wanted = unknown, Value = unknown> {
  /** In a dry run. */
  name: string;
  /** Name in the provisioning file and in the desired state. */
  member: Member;
  /** Position among findings and removals; those of equal rank are in the order of index.ts. Default 0. */
  rank?: number;
  /** @param wanted the desired state of the kinds before this one */
  entries(file: ProvisioningFile, wanted: Partial<Record<string, unknown[]>>): Place<Entry>[];
  /** Validates an entry that is itself the desired state. */
  validate?(entry: Entry, context: LoadContext): ProvisioningFinding[];
  /** Reads the files that the entry names, and validates it. Default: the entry is the desired state. */
  load?(entry: Entry, context: LoadContext): Promise<Loaded<Wanted>>;
  /** Keys that are unique in the file. @param wanted undefined if the entry has an error */
  unique?(entry: Entry, wanted: Wanted | undefined): Claim[];
  /** Validates the entries of a file together. */
  check?(file: ProvisioningFile, at: At): ProvisioningFinding[];
  /** The key that is unique in the folder, as in {@link Owners}. */
  claim?(wanted: Wanted): Claim;
  /** The files that provision entries in this bridge now. */
  owners?(deps: ApplyDeps): Owners | Promise<Owners>;
  /** Entries that another file has now stay until that file is applied, which takes them: removing them would resolve their alerts. */
  movable?: true;
  /** Errors that only the bridge knows. Changes nothing. */
  refuse?(deps: ApplyDeps, file: FileContext, wanted: Wanted[]): ProvisioningFinding[];
  /**
   * Applies all entries of a file or returns errors. Runs before anything is stored, so only one kind may have it.
   * @param moving keys of movable entries that stay
   */
  register?(
    deps: ApplyDeps,
    file: FileContext,
    wanted: Wanted[],
    moving: readonly string[]
  ): Promise<ProvisioningFinding[]>;
  /** Without secrets, for writes.ts. Default: nothing is stored. */
  stored?(wanted: Wanted[]): unknown[];
  /** Runs after the entries are stored. @param moving as in `register` */
  applied?(deps: ApplyDeps, file: string, wanted: Wanted[], moving: readonly string[]): void | Promise<void>;
  /** How a dry run compares it. Default: not at all. */
  dryRun?: DryRun<Wanted, Value>;
}

export interface DryRun<Wanted, Value> {
  /** The state of a running bridge. */
  inUse(get: Get): Promise<InUse<Value>[]>;
  /** Identifies the entry among those in use. */
  key(wanted: Wanted, file: string): string;
  /** The name that is shown. Default: the key. */
  nameOf?(wanted: Wanted): string;
  /** @returns undefined: none */
  difference(wanted: Wanted, before: InUse<Value> | undefined, context: DifferenceContext): Change | undefined;
  /** @returns its text if no file has the entry any more; undefined: nothing is removed */
  removal(before: InUse<Value>, wanted: readonly Partial<Record<string, unknown[]>>[]): string | undefined;
}

export type FindingText = Pick<ProvisioningFinding, 'rule' | 'verdict' | 'title' | 'detail'>;
/** A finding at a path in a file or in an entry. @param character of the text there */
export type At = (path: readonly PropertyKey[], base: FindingText, character?: number) => ProvisioningFinding;

export interface Place<Entry> {
  /** In the file. */
  path: PropertyKey[];
  entry: Entry;
}

/** Entries of a list. */
export const listed = <Entry>(member: string, entries: readonly Entry[] = []): Place<Entry>[] =>
  entries.map((entry, index) => ({ path: [member, index], entry }));

/** Entries of an object, with their keys. */
export const keyed = <Entry>(member: string, entries: Record<string, Entry> = {}): Place<[string, Entry]>[] =>
  Object.entries(entries).map((entry) => ({ path: [member, entry[0]], entry }));

export interface LoadContext {
  /** The folder of the provisioning file, absolute. */
  dir: string;
  /** The name of the provisioning file. */
  file: string;
  /** Relative to the entry. */
  at: At;
}

export interface Loaded<Wanted> {
  findings: ProvisioningFinding[];
  /** Absent if a finding is an error. */
  wanted?: Wanted;
  /** Absolute paths of the files and folders that were read, which are watched as well. */
  names: string[];
}

export interface Claim {
  key: string;
  /** In the entry. Default: the entry. */
  path?: PropertyKey[];
  /** `The package geth` */
  label: string;
}

/** A kind whose entries have a name that is unique in the folder. @param member that has the name */
export function named<Member extends string>(name: string, member: Member) {
  type Entry = Record<Member, string>;
  const claim = ({ [member]: key }: Entry): Claim => ({ key, path: [member], label: `The ${name} ${key}` });
  return { name, claim, unique: (entry: Entry) => [claim(entry)] };
}

export interface FileContext {
  file: string;
  at: At;
}

export interface Owners {
  /** Files that provision any. */
  files: string[];
  /** The file that has it; undefined: none has. @param file the one that asks */
  of(key: string, file: string): string | undefined;
  /** Entries that the file provisions, for its status, in the order of their names. */
  names?(file: string): unknown[];
}

/** @param owners keys with their files */
export function ownersOf(owners: readonly (readonly [key: string, file: string])[]): Owners {
  const byKey = new Map(owners);
  return {
    files: [...byKey.values()],
    of: (key) => byKey.get(key),
    names: (file) => [...byKey].flatMap(([key, owner]) => (owner === file ? key : [])).sort(),
  };
}

/** The services of the bridge that provisioning uses. */
export interface ApplyDeps {
  registry: ProvisionedRegistry;
  categories: () => Promise<Pick<Category, 'category' | 'file'>[]>;
  senders: Pick<Senders, 'list' | 'owner' | 'provision'>;
  chains: Pick<ChainOverrides, 'files' | 'owner' | 'provision'>;
  channels: Pick<Channels, 'owner' | 'ownerOf' | 'files' | 'provision' | 'calendars'>;
  heartbeats: Pick<Heartbeats, 'owner' | 'files' | 'ofFile' | 'load' | 'provision'>;
  suppression: Pick<SuppressionService, 'files' | 'owner' | 'load'>;
  mappings: () => Promise<{ file: string; mapping: Mapping }[]>;
  /** The file that sets retention. */
  retentionFile: () => Promise<string | undefined>;
  /** Whether this is the hash of the admin token, which a sender must not have. */
  isAdminHash: (hash: string) => boolean;
}

/** Calls an operation of a bridge. */
export type Get = <T>(operation: Operation, schema: z.ZodType<T>) => Promise<T>;

export interface InUse<Value> {
  key: string;
  /** The name that is shown. Default: the key. */
  name?: string;
  /** The file that provisions it; undefined: none does. */
  file: string | undefined;
  value: Value;
}

export interface DifferenceContext {
  file: string;
  packages: readonly { wanted: unknown; validated: ValidatedPackage }[];
}

export interface Change {
  action: 'add' | 'change' | 'remove';
  detail: string;
  change?: PackageChange;
  /** Warnings of the package's author. */
  warnings?: ShownWarning[];
}

export const ownerText = (owner: string | undefined, done: string): string =>
  owner === undefined ? `until now ${done} by hand` : `until now provisioned by ${owner}`;

/** A change of what only files provision. @param textOf what a dry run shows of a value */
export function textChange<Value>(
  wanted: Value,
  before: InUse<Value> | undefined,
  file: string,
  textOf: (value: Value) => string
): Change | undefined {
  const is = textOf(wanted);
  if (before === undefined) {
    return { action: 'add', detail: is };
  }
  const was = textOf(before.value);
  const owner = before.file === file ? [] : [ownerText(before.file, 'provisioned')];
  const detail = [...(was === is ? [] : [`${was} → ${is}`]), ...owner].join('; ');
  return detail === '' ? undefined : { action: 'change', detail };
}

/** A change of a setting, which has a value before any file sets it. @param isSet false: `was` is a default */
export function settingChange(
  [was, is]: readonly [was: string, is: string],
  { isSet, owner, file, done }: { isSet: boolean; owner: string | undefined; file: string; done: string }
): Change | undefined {
  if (was === is && owner === file) {
    return undefined;
  }
  const state = was === is ? `stays ${is}` : `${was} → ${is}`;
  const detail = isSet && owner !== file ? `${state}; ${ownerText(owner, done)}` : state;
  return { action: isSet ? 'change' : 'add', detail };
}

export const onOff = (enabled: boolean): string => (enabled ? 'on' : 'off');

export interface Secret {
  /** Absolute path of the file. */
  name: string;
  /** Trimmed; empty if there is a problem. Messages must not repeat it. */
  text: string;
  /** To follow the file's name in a message. */
  problem?: string;
}

export async function readSecret(dir: string, file: string): Promise<Secret> {
  const name = path.resolve(dir, file);
  const read = await readText(name);
  return 'problem' in read ? { name, text: '', ...read } : { name, text: read.text.trim() };
}
