/** `nodebell token create|list|rotate|revoke|rotate-admin`. */
import { InvalidArgumentError } from 'commander';
import { ADMIN_TOKEN, TOKENS } from '../../contract/api/tokens.ts';
import { LIMITS } from '../../contract/limits.ts';
import { DEFAULT_GRACE_HOURS, type Token } from '../../contract/token.ts';
import { type Cli, adminGroup } from './shared/command.ts';
import { adminCall } from './shared/client.ts';
import type { ConnectionFlags } from './shared/connection.ts';
import { type CliIo, printable, table } from './shared/io.ts';

interface TokenFlags extends ConnectionFlags {
  json?: boolean;
  package?: string[];
  node?: string;
  grace?: number;
}

export function addToken(cli: Cli): void {
  const { io } = cli;
  const command = adminGroup(cli, 'token', 'Create, list, rotate and revoke tokens.');
  command('create <name>', 'Create a token. It is printed once, as the only line on standard output.')
    .option(
      '-p, --package <name>',
      'package that the token may send for; repeatable (default: any)',
      (name: string, all: string[] = []) => [...all, name]
    )
    .option('--node <name>', 'the node of all that is sent with it, such as another bridge')
    .action((name: string, flags: TokenFlags) => create(name, flags, io));
  command('list', 'List tokens, without their secrets.').action((flags: TokenFlags) => list(flags, io));
  const grace = `hours for which the old token remains valid (default: ${DEFAULT_GRACE_HOURS}; 0: rejected at once)`;
  command('rotate <id>', 'Replace a token. The new one is printed once, as the only line on standard output.')
    .option('--grace <hours>', grace, readHours)
    .action((id: string, flags: TokenFlags) => rotate(id, flags, io));
  command('rotate-admin', 'Replace the admin token. Configure the new one in Grafana before the old one expires.')
    .option('--grace <hours>', grace, readHours)
    .action((flags: TokenFlags) => rotateAdmin(flags, io));
  command('revoke <id>', 'Revoke a token.').action((id: string, flags: TokenFlags) => revoke(id, flags, io));
}

async function create(name: string, flags: TokenFlags, io: CliIo): Promise<void> {
  const body = { name, packages: flags.package ?? [], ...(flags.node !== undefined && { node: flags.node }) };
  const created = await adminCall(TOKENS.createToken, { body }, flags, io);
  printToken(created, flags, io, {
    before: `Token ${created.id} "${printable(created.name)}" for ${packagesText(created)}. It will not be shown again:`,
    after: 'Configure the sender with NODEBELL_TOKEN, or with the header "Authorization: Bearer <token>".',
  });
}

/** The token is the only line on standard output. */
function printToken(
  created: { token: string },
  { json }: TokenFlags,
  io: CliIo,
  { before, after }: { before: string; after: string }
): void {
  if (json) {
    io.out(`${JSON.stringify(created)}\n`);
    return;
  }
  io.err(`${before}\n\n`);
  io.out(`${created.token}\n`);
  io.err(`\n${after}\n`);
}

async function list(flags: TokenFlags, io: CliIo): Promise<void> {
  const tokens = await adminCall(TOKENS.listTokens, {}, flags, io);
  if (flags.json) {
    io.out(`${JSON.stringify(tokens)}\n`);
  } else if (tokens.length === 0) {
    io.err('No tokens. Create one with "nodebell token create <name>".\n');
  } else {
    io.out(table([['ID', 'NAME', 'CREATED', 'LAST USED', 'FROM', 'PACKAGES', 'STATE'], ...tokens.map(cells)]));
  }
}

async function rotate(id: string, flags: TokenFlags, io: CliIo): Promise<void> {
  const rotated = await adminCall(TOKENS.rotateToken, { params: { id }, body: graceOf(flags) }, flags, io);
  printToken(rotated, flags, io, {
    before: `New token of ${rotated.id} "${printable(rotated.name)}". It will not be shown again:`,
    after: `The old token ${validUntil(rotated.previous?.validUntil)}`,
  });
}

async function rotateAdmin(flags: TokenFlags, io: CliIo): Promise<void> {
  const rotated = await adminCall(ADMIN_TOKEN.rotateAdminToken, { body: graceOf(flags) }, flags, io);
  printToken(rotated, flags, io, {
    before: 'New admin token. It is in the file admin-token of the data directory:',
    after: `The old token ${validUntil(rotated.previous?.validUntil)} Configure the new one in Grafana before that: on the plugin's configuration page, or as secureJsonData.bridgeToken where the plugin is provisioned.`,
  });
}

const graceOf = ({ grace }: TokenFlags) => (grace === undefined ? {} : { graceHours: grace });

const validUntil = (at: string | null | undefined): string => `is valid until ${at ?? 'its file no longer names it'}.`;

function readHours(text: string): number {
  const hours = Number(text);
  const most = LIMITS.tokenGraceDays.value * 24;
  if (text.trim() === '' || !(hours >= 0 && hours <= most)) {
    throw new InvalidArgumentError(`Expected hours, from 0 to ${most}.`);
  }
  return hours;
}

async function revoke(id: string, flags: TokenFlags, io: CliIo): Promise<void> {
  const token = await adminCall(TOKENS.revokeToken, { params: { id } }, flags, io);
  io.out(flags.json ? `${JSON.stringify(token)}\n` : `revoked ${token.id} "${printable(token.name)}"\n`);
}

function cells(token: Token): string[] {
  const { id, name, createdAt, lastUsedAt, lastUsedFrom, revokedAt, previous } = token;
  return [
    id,
    printable(name),
    minute(createdAt),
    lastUsedAt === null ? 'never' : minute(lastUsedAt),
    printable(lastUsedFrom ?? ''),
    packagesText(token),
    revokedAt !== null ? 'revoked' : ['active', ...oldTokenText(previous)].join('; '),
  ];
}

function oldTokenText(previous: Token['previous']): string[] {
  const { validUntil: until = null, lastUsedAt = null, lastUsedFrom = null } = previous ?? {};
  if (previous === null || (until !== null && Date.parse(until) <= Date.now())) {
    return [];
  }
  const end = until === null ? 'valid' : `valid until ${minute(until)}`;
  const use =
    lastUsedAt === null ? 'not used since' : `last used ${minute(lastUsedAt)} from ${printable(lastUsedFrom ?? '?')}`;
  return [`old token ${end}, ${use}`];
}

const minute = (at: string): string => at.slice(0, 16).replace('T', ' ');

function packagesText({ packages, node }: Pick<Token, 'packages' | 'node'>): string {
  const names = packages.length === 0 ? 'any package' : packages.map(printable).join(', ');
  return node === undefined ? names : `${names} of the node ${node}`;
}
