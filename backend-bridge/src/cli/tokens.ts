/** `nodebell token create|list|revoke`. */
import type { Command } from 'commander';
import { createdTokenSchema, tokenListSchema, tokenSchema, type Token } from '../../contract/token.ts';
import { adminRequest } from './client.ts';
import { ADMIN_TOKEN_HELP, type ConnectionFlags } from './connection.ts';
import { type CliIo, printable, table } from './io.ts';

interface TokenFlags extends ConnectionFlags {
  json?: boolean;
  package?: string[];
}

const HELP = `
${ADMIN_TOKEN_HELP}
`;

export function addToken(program: Command, io: CliIo, connectionOptions: (command: Command) => Command): void {
  const token = program
    .command('token')
    .description('Create, list and revoke sender tokens.')
    .addHelpText('after', HELP);
  const command = (name: string, description: string): Command =>
    connectionOptions(
      token
        .command(name)
        .description(description)
        .option('--data-dir <folder>', "the bridge's data directory, which contains the admin token")
        .option('--json', 'print JSON')
    ).addHelpText('after', HELP);

  command('create <name>', 'Create a token. It is printed once, as the only line on standard output.')
    .option(
      '-p, --package <name>',
      'package that the token may send for; repeatable (default: any)',
      (name: string, all: string[] = []) => [...all, name]
    )
    .action((name: string, flags: TokenFlags) => create(name, flags, io));
  command('list', 'List tokens, without their secrets.').action((flags: TokenFlags) => list(flags, io));
  command('revoke <id>', 'Revoke a token.').action((id: string, flags: TokenFlags) => revoke(id, flags, io));
}

async function create(name: string, flags: TokenFlags, io: CliIo): Promise<void> {
  const body = { name, packages: flags.package ?? [] };
  const created = await adminRequest(createdTokenSchema, { method: 'POST', path: 'api/v1/tokens', body }, flags, io);
  if (flags.json) {
    io.out(`${JSON.stringify(created)}\n`);
    return;
  }
  io.err(
    `Token ${created.id} "${printable(created.name)}" for ${packagesText(created)}. It will not be shown again:\n\n`
  );
  io.out(`${created.token}\n`);
  io.err('\nConfigure the sender with NODEBELL_TOKEN, or with the header "Authorization: Bearer <token>".\n');
}

async function list(flags: TokenFlags, io: CliIo): Promise<void> {
  const tokens = await adminRequest(tokenListSchema, { method: 'GET', path: 'api/v1/tokens' }, flags, io);
  if (flags.json) {
    io.out(`${JSON.stringify(tokens)}\n`);
  } else if (tokens.length === 0) {
    io.err('No tokens. Create one with "nodebell token create <name>".\n');
  } else {
    io.out(table([['ID', 'NAME', 'CREATED', 'LAST USED', 'STATE', 'PACKAGES'], ...tokens.map(cells)]));
  }
}

async function revoke(id: string, flags: TokenFlags, io: CliIo): Promise<void> {
  const path = `api/v1/tokens/${encodeURIComponent(id)}`;
  const token = await adminRequest(tokenSchema, { method: 'DELETE', path }, flags, io);
  io.out(flags.json ? `${JSON.stringify(token)}\n` : `revoked ${token.id} "${printable(token.name)}"\n`);
}

function cells(token: Token): string[] {
  const { id, name, createdAt, lastUsedAt, revokedAt } = token;
  const minute = (at: string | null): string => at?.slice(0, 16).replace('T', ' ') ?? 'never';
  return [
    id,
    printable(name),
    minute(createdAt),
    minute(lastUsedAt),
    revokedAt === null ? 'active' : 'revoked',
    packagesText(token),
  ];
}

function packagesText({ packages }: Pick<Token, 'packages'>): string {
  return packages.length === 0 ? 'any package' : packages.map(printable).join(', ');
}
