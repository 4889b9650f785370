/** The drivers of all kinds of chains that the bridge can poll. */
import type { ChainDriver } from '../../../../contract/chainEndpoints.ts';
import { type Identity, NodeProblem, type Reading } from './reading.ts';
import { beacon } from './beacon.ts';
import { bitcoin } from './bitcoin.ts';
import type { Driver, FetchContext } from './driver.ts';
import { ethereum } from './ethereum.ts';
import { monero } from './monero.ts';

export const DRIVERS: Record<ChainDriver, Driver> = { ethereum, bitcoin, monero, 'ethereum-beacon-chain': beacon };

/** Queries a node and reads its responses. Never rejects: no response may end the polling. */
export async function queryNode(
  driver: ChainDriver,
  context: FetchContext,
  known: Identity,
  log: { error(fields: object, message: string): void }
): Promise<Reading> {
  const kind = DRIVERS[driver];
  try {
    return kind.read(await kind.fetch(context), known);
  } catch (error) {
    if (error instanceof NodeProblem) {
      return error.reading;
    }
    log.error({ err: error, driver }, 'could not read the response of a node');
    const sentence = 'Unexpected response. For details, see the log of the bridge.';
    return { kind: 'failed', state: 'error', cause: 'not-understood', sentence };
  }
}
