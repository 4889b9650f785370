/** Senders, with the hashes of their tokens. */
import { TOKENS } from '../../../contract/api/tokens.ts';
import type { ProvisionedSenderEntry } from '../../../contract/provisioningFile.ts';
import { type Token, tokenListSchema } from '../../../contract/token.ts';
import { type ProvisionedSender, provisionedRow } from '../../platform/access/provisioned.ts';
import { hashToken, provisionedId } from '../../platform/access/token.ts';
import {
  type ApplyDeps,
  type FileContext,
  type Kind,
  listed,
  type LoadContext,
  type Loaded,
  ownerText,
  readSecret,
  type Secret,
} from './kind.ts';

const MIN_TOKEN = 16;

export const senders: Kind<'senders', ProvisionedSenderEntry, ProvisionedSender, Token> = {
  name: 'sender',
  member: 'senders',
  entries: (file) => listed('senders', file.senders),
  load: loadSender,
  unique(_entry, wanted) {
    const { name, hash, previousHash } = wanted ?? {};
    const label = 'The token of this sender';
    return [
      ...(name === undefined ? [] : [{ key: `name ${name}`, path: ['name'], label: `The sender ${name}` }]),
      ...[hash, previousHash].flatMap((key) => (key === undefined ? [] : [{ key, label }])),
    ];
  },
  claim: ({ name, hash }) => ({ key: hash, label: `The token of ${name}` }),
  owners(deps) {
    const valid = deps.senders.list().filter(({ file, revokedAt }) => file !== undefined && revokedAt === null);
    return {
      files: valid.map(({ file }) => file!),
      of: (hash, file) => deps.senders.owner(hash, file)?.file,
      names: (file) => valid.flatMap((one) => (one.file === file ? one.name : [])),
    };
  },
  refuse: takenTokens,
  stored: (wanted) => wanted.map(provisionedRow),
  applied: (deps, file, wanted) => deps.senders.provision(file, wanted),
  dryRun: {
    async inUse(get) {
      const all = await get(TOKENS.listTokens, tokenListSchema);
      const valid = all.filter(({ revokedAt }) => revokedAt === null);
      return valid.map((value) => ({ key: value.id, name: value.name, file: value.file, value }));
    },
    key: ({ hash }) => provisionedId(hash),
    nameOf: ({ name }) => name,
    difference({ name, packages, node }, before, { file }) {
      const is = scopeText({ packages, node });
      if (before === undefined) {
        return { action: 'add', detail: `its token is valid for ${is}` };
      }
      const was = scopeText(before.value);
      const detail = [
        ...(before.name === name ? [] : [`until now called ${before.name}`]),
        ...(was === is ? [] : [`${was} → ${is}`]),
        ...(before.file === file ? [] : [ownerText(before.file, 'made')]),
      ].join('; ');
      return detail === '' ? undefined : { action: 'change', detail };
    },
    removal: () => 'its token is revoked',
  },
};

const scopeText = ({ packages, node }: Pick<ProvisionedSender, 'packages' | 'node'>): string =>
  (packages.length === 0 ? 'any package' : packages.join(', ')) + (node === undefined ? '' : `, as the node ${node}`);

const BASE = { rule: 'token', verdict: 'error', title: 'Invalid token' } as const;

async function loadSender(entry: ProvisionedSenderEntry, context: LoadContext): Promise<Loaded<ProvisionedSender>> {
  const { name, packages = [], node, previousToken, previousTokenFile } = entry;
  const isRotated = previousToken !== undefined || previousTokenFile !== undefined;
  const current = await loadToken('token', entry, context);
  const previous = isRotated ? await loadToken('previousToken', entry, context) : undefined;
  const findings = [...current.findings, ...(previous?.findings ?? [])];
  const names = [...current.names, ...(previous?.names ?? [])];
  const [hash, previousHash] = [current.wanted, previous?.wanted];
  if (hash !== undefined && hash === previousHash) {
    const detail = 'The previous token is the current one: remove it, or rotate the token.';
    findings.push(context.at(['name'], { ...BASE, detail }));
  }
  if (findings.length > 0 || hash === undefined) {
    return { findings, names };
  }
  const wanted = { name, packages: [...new Set(packages)], hash, node };
  return { findings, names, wanted: previousHash === undefined ? wanted : { ...wanted, previousHash } };
}

/** @returns the hash of the token */
async function loadToken(
  member: 'token' | 'previousToken',
  entry: ProvisionedSenderEntry,
  { dir, at }: LoadContext
): Promise<Loaded<string>> {
  const file = entry[`${member}File`];
  const read: Partial<Secret> = file === undefined ? { text: entry[member]?.trim() } : await readSecret(dir, file);
  const { name, text = '' } = read;
  const names = name === undefined ? [] : [name];
  const problem = read.problem === undefined ? tokenProblem(text) : `${file} ${read.problem}.`;
  if (problem !== undefined) {
    const finding = at([file === undefined ? member : `${member}File`], { ...BASE, detail: problem });
    return { findings: [finding], names };
  }
  return { findings: [], names, wanted: hashToken(text) };
}

/** Does not repeat the token, since it is a secret. */
function tokenProblem(token: string): string | undefined {
  if (!/^[\x21-\x7e]*$/.test(token)) {
    return 'A token is one word of visible ASCII characters.';
  }
  return token.length < MIN_TOKEN
    ? `It has ${token.length} characters; at least ${MIN_TOKEN} are needed. "openssl rand -hex 32" makes one.`
    : undefined;
}

/** A token identifies one sender. */
function takenTokens({ senders: all, isAdminHash }: ApplyDeps, { file, at }: FileContext, wanted: ProvisionedSender[]) {
  const base = { rule: 'token', verdict: 'error', title: 'Duplicate token' } as const;
  return wanted.flatMap(({ name, hash, previousHash }, index) => {
    const hashes = previousHash === undefined ? [hash] : [hash, previousHash];
    const owner = hashes.map((one) => all.owner(one, file)).find((one) => one !== undefined);
    const whose = hashes.some(isAdminHash) ? "the admin's" : owner && `that of the sender "${owner.name}"`;
    return whose
      ? [at(['senders', index], { ...base, detail: `The token of ${name} is ${whose}: use a separate token.` })]
      : [];
  });
}
