/** One question to a node, from the request to a reading. */
import type { ChainDriver } from '../../contract/chain.ts';
import type { FetchContext } from './drivers/driver.ts';
import { DRIVERS } from './drivers/index.ts';
import { type Identity, NodeProblem, type Reading } from './reading.ts';

/** Never rejects: whatever a node answers, it must not end the asking. */
export async function askNode(
  driver: ChainDriver,
  context: FetchContext,
  known: Identity,
  log: { error(fields: object, message: string): void }
): Promise<Reading> {
  const asked = DRIVERS[driver];
  try {
    return asked.read(await asked.fetch(context), known);
  } catch (error) {
    if (error instanceof NodeProblem) {
      return error.reading;
    }
    log.error({ err: error, driver }, 'an answer of a node could not be read');
    const sentence = 'The bridge cannot make anything of the answer; its log says more.';
    return { kind: 'failed', state: 'error', cause: 'not-understood', sentence };
  }
}
