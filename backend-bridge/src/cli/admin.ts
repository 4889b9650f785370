/** Asks the bridge for what only an admin may have. */
import { ask, type BridgeRequest, RefusedError } from './client.ts';
import { CliError, type CliIo, EXIT } from './io.ts';
import { adminConnection, type Connection, type ConnectionFlags } from './settings.ts';

interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false };
}

/** @throws CliError, also when the answer is not what a bridge of this version gives */
export async function askFor<T>(
  schema: Schema<T>,
  request: BridgeRequest,
  flags: ConnectionFlags,
  io: CliIo
): Promise<T> {
  const connection = adminConnection(flags, io);
  const answer = schema.safeParse(await askAsAdmin(connection, request, io));
  if (!answer.success) {
    throw new CliError(
      EXIT.unreachable,
      `${connection.base.origin} answers, but not as a bridge of this version does.`
    );
  }
  return answer.data;
}

async function askAsAdmin(connection: Connection, request: BridgeRequest, io: CliIo): Promise<unknown> {
  try {
    return await ask(connection, request, io);
  } catch (error) {
    if (error instanceof RefusedError && error.problem.status === 403 && connection.token === undefined) {
      error.message += `\n  No admin token was found here. "nodebell token --help" says where it is looked for.`;
    }
    throw error;
  }
}
