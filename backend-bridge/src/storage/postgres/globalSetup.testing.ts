/** For vitest's project `postgres`: one server for all its files. */
import { startPostgres } from './server.testing.ts';

export async function setup(): Promise<() => Promise<void>> {
  const server = await startPostgres();
  process.env.NODEBELL_TEST_POSTGRES = server.url('postgres');
  return () => server.remove();
}
