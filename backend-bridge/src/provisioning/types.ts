/** What the operator's files ask for, with all that they name read in. */
import type { ProvisioningFinding } from '../../contract/provisioning.ts';
import type { ProvisionedChain } from '../chains/address.ts';
import type { ProvisionedPackage } from '../packages/types.ts';
import type { SettingChange } from '../thresholds/writes.ts';

/** A package that a file asks for; its files have been judged and hold no error. */
export interface WantedPackage extends ProvisionedPackage {
  name: string;
  version: string;
  /** What the file sets for it. */
  settings: SettingChange[];
}

export interface WantedSender {
  name: string;
  packages: string[];
  /** Of its token; the token itself goes no further than the reader. */
  hash: string;
}

export interface Wanted {
  packages: WantedPackage[];
  categories: { category: string; enabled: boolean }[];
  senders: WantedSender[];
  chains: ProvisionedChain[];
}

export interface LoadedFile {
  /** Its name in the folder. */
  file: string;
  findings: ProvisioningFinding[];
  /** Absent when a finding is an error. */
  wanted?: Wanted;
  /** A finding at the place where the file names something. */
  at: (path: readonly PropertyKey[], told: Told) => ProvisioningFinding;
  /** Absolute paths of what it names: a change of any of them may change what it asks for. */
  names: string[];
}

export type Told = Pick<ProvisioningFinding, 'rule' | 'verdict' | 'title' | 'detail'>;
