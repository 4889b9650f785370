/** How to poll the nodes of packages. Not compared: the bridge does not expose their addresses, which may contain credentials. */
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import type { ProvisionedChainEntry } from '../../../contract/provisioningFile.ts';
import { durationSeconds } from '../../../contract/text.ts';
import { hashToken } from '../../platform/access/token.ts';
import type { ProvisionedChain } from '../../monitoring/chains/address.ts';
import { type Kind, type LoadContext, type Loaded, keyed, readSecret } from './kind.ts';

type Entry = [dnpName: string, entry: ProvisionedChainEntry];

export const chains: Kind<'chains', Entry, ProvisionedChain> = {
  name: 'chain',
  member: 'chains',
  entries: (file) => keyed('chains', file.chains),
  load: loadChain,
  claim: ({ dnpName }) => ({ key: dnpName, label: `The node of ${dnpName}` }),
  owners: ({ chains: all }) => ({ files: all.files(), of: all.owner }),
  stored: (wanted) => wanted.map(auditedChain),
  movable: true,
  applied: (deps, file, wanted, moving) => deps.chains.provision(file, wanted, moving),
};

/** Without credentials; the address of a node may contain a key in its path. */
function auditedChain({ dnpName, url, interval, username }: ProvisionedChain) {
  const address = url === undefined ? {} : { host: new URL(url).host, addressHash: hashToken(url).slice(0, 12) };
  return { name: dnpName, ...address, interval, credentials: username !== undefined };
}

const BASE = { rule: 'chain', verdict: 'error', title: 'Invalid node settings' } as const;

async function loadChain([dnpName, entry]: Entry, { dir, at }: LoadContext): Promise<Loaded<ProvisionedChain>> {
  const { url, interval } = entry;
  const findings: ProvisioningFinding[] = [];
  const names: string[] = [];
  const credential = async (member: 'username' | 'password'): Promise<string | undefined> => {
    const file = entry[`${member}File`];
    if (file === undefined) {
      return entry[member];
    }
    const { name, text, problem } = await readSecret(dir, file);
    names.push(name);
    if (text === '') {
      const why = problem ?? 'is empty';
      findings.push(at([`${member}File`], { ...BASE, detail: `${file} ${why}.` }));
    }
    return text;
  };
  const username = await credential('username');
  const password = await credential('password');
  if (findings.length === 0 && (username === undefined) !== (password === undefined)) {
    const [given, missing] = username === undefined ? ['password', 'username'] : ['username', 'password'];
    findings.push(at([], { ...BASE, detail: `Found a ${given} without a ${missing}: set both, or none.` }));
  }
  const wanted = {
    dnpName,
    ...(url !== undefined && { url }),
    ...(interval !== undefined && { interval: durationSeconds(interval) }),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
  return { findings, names, ...(findings.length === 0 && { wanted }) };
}
