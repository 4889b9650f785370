/** The desired state of provisioning files, with the contents of the files that they refer to. */
import type { ProvisioningFinding } from '../../contract/provisioning.ts';
import type { ProvisionedHeartbeat } from '../../contract/heartbeat.ts';
import type { Route } from '../../contract/channel.ts';
import type { RetentionPolicy } from '../../contract/retention.ts';
import type { ProvisionedChain } from '../chains/address.ts';
import type { ChannelSettings } from '../channels/channel.ts';
import type { ProvisionedPackage } from '../packages/types.ts';
import type { SettingChange } from '../thresholds/writes.ts';

/** A package of a file; its files have been validated without errors. */
export interface WantedPackage extends ProvisionedPackage {
  name: string;
  version: string;
  /** Its settings in the file. */
  settings: SettingChange[];
}

export interface WantedSender {
  name: string;
  packages: string[];
  /** The node of what it sends. */
  node?: string | undefined;
  /** Of its token, which is not kept. */
  hash: string;
  /** Of the token before a rotation, which is valid as well. */
  previousHash?: string;
}

export interface Wanted {
  packages: WantedPackage[];
  categories: { category: string; enabled: boolean }[];
  senders: WantedSender[];
  chains: ProvisionedChain[];
  retention?: RetentionPolicy;
  /** With their secrets. */
  channels: ChannelSettings[];
  routes: Route[];
  heartbeats: ProvisionedHeartbeat[];
}

export interface LoadedFile {
  /** Its name in the folder. */
  file: string;
  findings: ProvisioningFinding[];
  /** Absent if a finding is an error. */
  wanted?: Wanted;
  /** A finding at a path in the file. */
  at: (path: readonly PropertyKey[], base: FindingText) => ProvisioningFinding;
  /** Absolute paths of the files that it refers to, which are watched as well. */
  names: string[];
}

export type FindingText = Pick<ProvisioningFinding, 'rule' | 'verdict' | 'title' | 'detail'>;
