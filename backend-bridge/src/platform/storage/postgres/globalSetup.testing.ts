/** For vitest's project `postgres`: one server for all its files. None of them ends it, so it need not be durable. */
import { PostgresServer } from './server.testing.ts';

export async function setup(): Promise<() => Promise<void>> {
  const server = await PostgresServer.open({ settings: ['fsync=off', 'full_page_writes=off'] });
  process.env.NODEBELL_TEST_POSTGRES = server.url('postgres');
  return () => server.remove();
}
