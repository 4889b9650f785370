/** Reads what one of the operator's files says of the node of a package, with the files that hold its secrets. */
import path from 'node:path';
import type { ProvisionedChainEntry } from '../../contract/provisioningFile.ts';
import type { ProvisioningFinding } from '../../contract/provisioning.ts';
import type { ProvisionedChain } from '../chains/address.ts';
import { readText } from './readText.ts';
import type { Told } from './types.ts';

export interface LoadedChain {
  findings: ProvisioningFinding[];
  wanted?: ProvisionedChain;
  names: string[];
}

type At = (member: readonly PropertyKey[], told: Told) => ProvisioningFinding;
const SECONDS = { s: 1, m: 60, h: 3600 } as const;
const TOLD = { rule: 'chain', verdict: 'error', title: 'This node cannot be asked so' } as const;

export async function loadChain(
  dnpName: string,
  entry: ProvisionedChainEntry,
  { dir, at }: { dir: string; at: At }
): Promise<LoadedChain> {
  const username = await secretOf('username', entry, dir, at);
  const password = await secretOf('password', entry, dir, at);
  const findings = [...username.findings, ...password.findings];
  const names = [...username.names, ...password.names];
  const half = (username.text === undefined) !== (password.text === undefined);
  if (findings.length === 0 && half) {
    const [given, missing] = username.text === undefined ? ['password', 'username'] : ['username', 'password'];
    findings.push(at([], { ...TOLD, detail: `There is a ${given} and no ${missing}: give both, or none.` }));
  }
  const { url, interval } = entry;
  return findings.length > 0
    ? { findings, names }
    : {
        findings,
        names,
        wanted: {
          dnpName,
          ...(url !== undefined && { url }),
          ...(interval !== undefined && { interval: secondsOf(interval) }),
          ...(username.text !== undefined && { username: username.text }),
          ...(password.text !== undefined && { password: password.text }),
        },
      };
}

/** @param text as the schema has checked it: `30s`, `5m`, `1h` */
function secondsOf(text: string): number {
  return Number(text.slice(0, -1)) * SECONDS[text.at(-1) as keyof typeof SECONDS];
}

interface Secret {
  findings: ProvisioningFinding[];
  text?: string;
  names: string[];
}

async function secretOf(
  name: 'username' | 'password',
  entry: ProvisionedChainEntry,
  dir: string,
  at: At
): Promise<Secret> {
  const file = entry[`${name}File`];
  if (file === undefined) {
    const text = entry[name];
    return { findings: [], names: [], ...(text !== undefined && { text }) };
  }
  const names = [path.resolve(dir, file)];
  const read = await readText(path.resolve(dir, file));
  const refuse = (detail: string): Secret => ({ findings: [at([`${name}File`], { ...TOLD, detail })], names });
  if ('problem' in read) {
    return refuse(`${file} ${read.problem}.`);
  }
  const text = read.text.trim();
  return text === '' ? refuse(`${file} is empty.`) : { findings: [], text, names };
}
