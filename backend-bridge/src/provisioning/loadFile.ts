/** Reads a provisioning file with the files that it refers to. */
import path from 'node:path';
import { foldCategory } from '../../contract/notification.ts';
import type { ProvisioningFinding } from '../../contract/provisioning.ts';
import type { ProvisionedChainEntry, ProvisionedSenderEntry } from '../../contract/provisioningFile.ts';
import { durationSeconds, findBadText } from '../../contract/text.ts';
import { hashToken } from '../access/token.ts';
import type { ProvisionedChain } from '../chains/address.ts';
import { loadChannel, wrongChannels } from './loadChannel.ts';
import { loadPackage } from './loadPackage.ts';
import { type KnownFiles, readUnlessKnown } from './readFile.ts';
import { readText } from './readText.ts';
import { findingAt } from './source.ts';
import type { LoadedFile, FindingText, WantedSender } from './types.ts';

const MIN_TOKEN = 16;
type At = (path: readonly PropertyKey[], base: FindingText) => ProvisioningFinding;

/**
 * @param dir an absolute path
 * @param file a name in it
 * @param env what variables are looked up in
 * @param known a file with the same text is not parsed again, which takes tens of milliseconds for hundreds of packages; added to
 * @returns the desired state, or every error; never rejects
 */
export async function loadFile(
  dir: string,
  file: string,
  env: Record<string, string | undefined>,
  known: KnownFiles = new Map()
): Promise<LoadedFile> {
  const text = await readText(path.join(dir, file));
  const nowhere: At = (_path, base) => ({ ...base, file, pointer: '', line: 1, column: 1, endLine: 1, endColumn: 1 });
  if ('problem' in text) {
    const base = { rule: 'file', verdict: 'error', title: 'The file cannot be read' } as const;
    return { file, findings: [nowhere([], { ...base, detail: `It ${text.problem}.` })], at: nowhere, names: [] };
  }
  const { findings, read } = readUnlessKnown(file, text.text, env, known);
  if (read === undefined) {
    return { file, findings, at: nowhere, names: [] };
  }
  const { value, source } = read;
  const at: At = (place, base) => findingAt(source(), place, base);
  // One after another: validating hundreds of packages at once would block requests.
  const { routes = [], channels: channelEntries = [], heartbeats = [], categories: switches = {} } = value;
  const packages = await Array.fromAsync(value.packages ?? [], (entry, index) =>
    loadPackage(entry, { dir, file, at: (member, base) => at(['packages', index, ...member], base) })
  );
  const senders = await Array.fromAsync(value.senders ?? [], (entry, index) =>
    loadSender(entry, dir, (member, base) => at(['senders', index, ...member], base))
  );
  const chains = await Array.fromAsync(Object.entries(value.chains ?? {}), ([name, entry]) =>
    loadChain(name, entry, { dir, at: (member, base) => at(['chains', name, ...member], base) })
  );
  const channels = await Array.fromAsync(channelEntries, (entry, index) =>
    loadChannel(entry, { dir, at: (member, base) => at(['channels', index, ...member], base) })
  );
  const categories = Object.keys(switches);
  findings.push(
    ...[...packages, ...senders, ...chains, ...channels].flatMap((one) => one.findings),
    ...twice(
      packages.map((one) => one.wanted?.name),
      (index, name) => [['packages', index], `The package ${name}`],
      at
    ),
    ...twice(
      senders.map((one) => one.wanted?.name),
      (index, name) => [['senders', index, 'name'], `The sender ${name}`],
      at
    ),
    ...twice(
      senders.flatMap(({ wanted }) => [wanted?.hash, wanted?.previousHash]),
      (index) => [['senders', Math.floor(index / 2)], 'The token of this sender'],
      at
    ),
    ...twice(
      channelEntries.map(({ name }) => name),
      (index, name) => [['channels', index, 'name'], `The channel ${name}`],
      at
    ),
    ...twice(
      heartbeats.map(({ name }) => name),
      (index, name) => [['heartbeats', index, 'name'], `The heartbeat ${name}`],
      at
    ),
    ...wrongChannels(routes, channelEntries, at),
    ...twice(
      categories.map(foldCategory),
      (index) => [['categories', categories[index]!], `The category ${JSON.stringify(categories[index])}`],
      at
    ),
    ...unstorable(switches, at)
  );
  const names = [...packages, ...senders, ...chains, ...channels].flatMap((one) => one.names);
  const loaded: LoadedFile = { file, findings, at, names };
  if (!findings.some(({ verdict }) => verdict === 'error')) {
    loaded.wanted = {
      packages: packages.flatMap(({ wanted }) => wanted ?? []),
      senders: senders.flatMap(({ wanted }) => wanted ?? []),
      chains: chains.flatMap(({ wanted }) => wanted ?? []),
      channels: channels.flatMap(({ wanted }) => wanted ?? []),
      routes,
      heartbeats,
      ...(value.retention && { retention: value.retention }),
      categories: Object.entries(switches).map(([name, enabled]) => ({
        category: foldCategory(name),
        enabled,
      })),
    };
  }
  return loaded;
}

interface LoadedSender {
  findings: ProvisioningFinding[];
  wanted?: WantedSender;
  names: string[];
}

async function loadSender(entry: ProvisionedSenderEntry, dir: string, at: At): Promise<LoadedSender> {
  const { name, packages = [], node, previousToken, previousTokenFile } = entry;
  const current = await loadToken('token', entry, dir, at);
  const isRotated = previousToken !== undefined || previousTokenFile !== undefined;
  const previous = isRotated ? await loadToken('previousToken', entry, dir, at) : undefined;
  const findings = [...current.findings, ...(previous?.findings ?? [])];
  const names = [...current.names, ...(previous?.names ?? [])];
  const { hash } = current;
  if (hash !== undefined && hash === previous?.hash) {
    const detail = 'The previous token is the current one: remove it, or rotate the token.';
    findings.push(at(['name'], { rule: 'token', verdict: 'error', title: 'Invalid token', detail }));
  }
  if (findings.length > 0 || hash === undefined) {
    return { findings, names };
  }
  const wanted = { name, packages: [...new Set(packages)], hash, node };
  return {
    findings,
    names,
    wanted: previous?.hash === undefined ? wanted : { ...wanted, previousHash: previous.hash },
  };
}

interface LoadedToken {
  findings: ProvisioningFinding[];
  hash?: string;
  names: string[];
}

async function loadToken(
  member: 'token' | 'previousToken',
  entry: ProvisionedSenderEntry,
  dir: string,
  at: At
): Promise<LoadedToken> {
  const file = entry[`${member}File`];
  const names = file === undefined ? [] : [path.resolve(dir, file)];
  const refuse = (detail: string): LoadedToken => {
    const place = file === undefined ? member : `${member}File`;
    return { findings: [at([place], { rule: 'token', verdict: 'error', title: 'Invalid token', detail })], names };
  };
  const read = file === undefined ? { text: entry[member] ?? '' } : await readText(path.resolve(dir, file));
  if ('problem' in read) {
    return refuse(`${file} ${read.problem}.`);
  }
  // Messages do not repeat the value, since it is a secret.
  const secret = read.text.trim();
  if (!/^[\x21-\x7e]*$/.test(secret)) {
    return refuse('A token is one word of visible ASCII characters.');
  }
  if (secret.length < MIN_TOKEN) {
    return refuse(
      `It has ${secret.length} characters; at least ${MIN_TOKEN} are needed. "openssl rand -hex 32" makes one.`
    );
  }
  return { findings: [], names, hash: hashToken(secret) };
}

function twice(
  names: (string | undefined)[],
  say: (index: number, name: string) => [path: PropertyKey[], what: string],
  at: At
): ProvisioningFinding[] {
  return names.flatMap((name, index) => {
    if (name === undefined || names.indexOf(name) === index) {
      return [];
    }
    const [place, what] = say(index, name);
    const base = { rule: 'twice', verdict: 'error', title: 'Duplicate entry' } as const;
    return [at(place, { ...base, detail: `${what} is already in this file: keep one.` })];
  });
}

function unstorable(categories: Record<string, boolean>, at: At): ProvisioningFinding[] {
  const base = { rule: 'text', verdict: 'error', title: 'Cannot be stored' } as const;
  return Object.keys(categories).flatMap((category) =>
    findBadText(category).map(({ detail }) => at(['categories', category], { ...base, detail }))
  );
}

interface LoadedChain {
  findings: ProvisioningFinding[];
  wanted?: ProvisionedChain;
  names: string[];
}

const BASE = { rule: 'chain', verdict: 'error', title: 'Invalid node settings' } as const;

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
    findings.push(at([], { ...BASE, detail: `Found a ${given} without a ${missing}: set both, or none.` }));
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
          ...(interval !== undefined && { interval: durationSeconds(interval) }),
          ...(username.text !== undefined && { username: username.text }),
          ...(password.text !== undefined && { password: password.text }),
        },
      };
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
  const refuse = (detail: string): Secret => ({ findings: [at([`${name}File`], { ...BASE, detail })], names });
  if ('problem' in read) {
    return refuse(`${file} ${read.problem}.`);
  }
  const text = read.text.trim();
  return text === '' ? refuse(`${file} is empty.`) : { findings: [], text, names };
}
